// Creates the first accounts of a fresh chain: a rich faucet, a validator, and vote accounts created by the
// real Vote program.

import type { EpochEngine } from './epochs/epoch-engine.ts';
import {
  createVoteAccountInstructions,
  VOTE_ACCOUNT_SPACE,
  VOTE_PROGRAM,
  withNode,
  withoutRevenueCommission,
} from './epochs/vote-account.ts';
import { type Instruction, SYSTEM_PROGRAM, signTransaction } from './gateway/legacy-transaction.ts';
import type { RuntimeClient } from './runtime-client.ts';
import { type SandboxKey, sandboxKey } from './sandbox-keys.ts';
import type { Surfnet } from './surfnet.ts';

// Initial balance. Less than 2^53, so that the number is exact in JavaScript.
const FAUCET_LAMPORTS = 5_000_000_000_000_000;
const VOTE_ACCOUNT_LAMPORTS = 30_000_000n;
const validator = (name: string, commissionPct: number) => ({
  identity: sandboxKey(`${name} identity`).address,
  voteAccount: sandboxKey(`${name} vote`).address,
  commissionPct,
});

/** The other validators with a vote account on the chain. */
export const OTHER_VALIDATORS = [validator('other', 5), validator('third', 10)] as const;

const IDENTITY_LAMPORTS = 10_000_000_000;

/**
 * Sends a transaction signed by `signers`, the first of which pays. Returns its signature, processed but not
 * yet confirmed.
 */
export async function sendSigned(
  client: RuntimeClient,
  signers: readonly [SandboxKey, ...SandboxKey[]],
  instructions: readonly Instruction[],
): Promise<string> {
  const latest = (await client.call('getLatestBlockhash')) as { value: { blockhash: string } };
  const { signature, wireBase64 } = signTransaction(signers, latest.value.blockhash, instructions);
  await client.call('sendTransaction', [wireBase64, { encoding: 'base64' }]);
  return signature;
}

/** Funds the faucet and the validator identity. */
export function fundSandboxKeys(surfnet: Surfnet): void {
  surfnet.setAccount(sandboxKey('faucet').address, FAUCET_LAMPORTS, [], SYSTEM_PROGRAM);
  surfnet.setAccount(sandboxKey('identity').address, IDENTITY_LAMPORTS, [], SYSTEM_PROGRAM);
}

/**
 * Creates our vote account through the real Vote program. Those of other validators are copies with their own
 * node and commission.
 */
export async function createVoteAccounts(
  surfnet: Surfnet,
  client: RuntimeClient,
  engine: EpochEngine,
): Promise<void> {
  const [faucet, identity, vote] = [sandboxKey('faucet'), sandboxKey('identity'), sandboxKey('vote')];
  await sendSigned(
    client,
    [faucet, vote, identity],
    createVoteAccountInstructions({
      funder: faucet.address,
      voteAccount: vote.address,
      identity: identity.address,
      withdrawer: sandboxKey('withdrawer').address,
      lamports: VOTE_ACCOUNT_LAMPORTS,
    }),
  );
  engine.produceBlock();
  const created = (await client.call('getAccountInfo', [vote.address, { encoding: 'base64' }])) as {
    value: { data: [string, string] };
  };
  const own = withoutRevenueCommission(Buffer.from(created.value.data[0], 'base64'));
  if (own.length !== VOTE_ACCOUNT_SPACE) throw new Error('The vote account was not created.');
  const write = (address: string, data: Buffer): void =>
    surfnet.setAccount(address, Number(VOTE_ACCOUNT_LAMPORTS), [...data], VOTE_PROGRAM);
  write(vote.address, own);
  for (const { identity: node, voteAccount, commissionPct } of OTHER_VALIDATORS)
    write(voteAccount, withNode(own, node, commissionPct * 100));
}
