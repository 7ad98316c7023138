// An honest service's responses to a builder call and a submission, with real transactions. A test changes only
// the value under test.
import type { Address } from '@solana/kit';
import type { CreateStakeTransactionAnswer } from '../../client/generated/transactions-operations.ts';
import { type BuiltTransaction, buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { UnitPrice } from '../../src/domain/transaction/instruction-fees.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { json, type ScriptedResponse } from '../client/scripted-service.ts';
import { walletOfSeed } from './wallets.ts';

const address = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;

/** The wallet that signs in these tests. */
export const signer = walletOfSeed(new Uint8Array(32).fill(1));
export const STAKE_ACCOUNT = address(2);
export const VOTE_ACCOUNT = address(3);
export const OUTSIDER = address(5);
export const SECOND_ACCOUNT = address(17);

const honest = {
  wallet: signer.walletAddress as Address,
  stakeAccount: STAKE_ACCOUNT,
  voteAccount: VOTE_ACCOUNT,
  lamports: 2_000_000_000n,
  memo: 'stake.example',
  blockhash: address(16) as string,
};
type Changes = Partial<typeof honest> & {
  readonly recipient?: Address;
  readonly unitPrice?: UnitPrice;
  readonly version?: BuiltTransaction['version'];
  readonly stakeAuthority?: Address;
};

const base64 = (transaction: BuiltTransaction): string => toBase64(encodeWire(transaction));

/** Builds an unsigned transaction in base64. By default, it moves 2 SOL of the wallet. */
export const stakeBytes = (changes: Changes = {}): string =>
  base64(buildTransaction.stake({ ...honest, ...changes }));
export const unstakeBytes = (changes: Changes = {}): string =>
  base64(buildTransaction.unstake({ ...honest, ...changes }));
export const withdrawBytes = (changes: Changes = {}): string =>
  base64(buildTransaction.withdraw({ ...honest, ...changes }));
export const restakeBytes = (changes: Changes = {}): string =>
  base64(buildTransaction.restake({ ...honest, ...changes }));

/** Builds a stake change with these operations. */
export const changeBytes = (...operations: readonly MachineOperation[]): string =>
  base64(buildTransaction.rearrange({ ...honest, operations }));

/** Returns a builder's response, valid for one minute. */
export const built = (transaction: string): CreateStakeTransactionAnswer =>
  ({
    transaction,
    warnings: [],
    estimatedExpiresAt: '2026-11-21T10:01:00Z',
    _meta: { timestamp: '2026-11-21T10:00:00Z' },
  }) as unknown as CreateStakeTransactionAnswer;

export const builds = (transaction: string): ScriptedResponse => json(200, built(transaction));
export const confirms = json(200, {
  signature: 'sig',
  explorerUrl: 'https://explorer.example/tx',
  message: 'Confirmed.',
});
/** Returns a refusal by the service. */
export const refuses = (errorCode: string, status = 400): ScriptedResponse =>
  json(status, { error: 'E', errorCode, message: 'M' });
