// A wallet on any cluster. Signs, sends and confirms stake transactions with @solana/kit, without Holdfast's
// code.
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getWithdrawInstruction,
} from '@solana-program/stake';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { askRpc } from './test-validator.ts';

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111' as Address;
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
const NO_CUSTODIAN = '11111111111111111111111111111111' as Address;
const STAKE_BYTES = 200n;
const CONFIRMED_WITHIN_MS = 60_000;
const EPOCH_WITHIN_MS = 300_000;

/** A signed transaction that has not been sent yet. */
interface SignedTransaction {
  readonly signature: Signature;
  /** Wire bytes in base64. */
  readonly wire: string;
}

interface Status {
  readonly err: unknown;
  readonly confirmationStatus: string;
}

/** One wallet on one cluster. Amounts are in lamports. */
export class ChainActor {
  readonly rpcUrl: string;
  readonly wallet: KeyPairSigner;

  private constructor(rpcUrl: string, wallet: KeyPairSigner) {
    this.rpcUrl = rpcUrl;
    this.wallet = wallet;
  }

  /** Creates a wallet with `lamports` from the cluster's faucet. */
  static async fund(rpcUrl: string, lamports: bigint): Promise<ChainActor> {
    const actor = new ChainActor(rpcUrl, await generateKeyPairSigner());
    const signature = await actor.ask<Signature>('requestAirdrop', [actor.wallet.address, Number(lamports)]);
    await actor.landed(signature);
    return actor;
  }

  ask<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return askRpc<T>(this.rpcUrl, method, params);
  }

  /** Waits until `signature` is confirmed. Returns the transaction error, or null on success. */
  async landed(signature: Signature): Promise<unknown> {
    const patience = AbortSignal.timeout(CONFIRMED_WITHIN_MS);
    for (;;) {
      const { value } = await this.ask<{ value: readonly (Status | null)[] }>('getSignatureStatuses', [
        [signature],
      ]);
      const status = value[0];
      if (status && status.confirmationStatus !== 'processed') return status.err;
      patience.throwIfAborted();
      await delay(100);
    }
  }

  async blockhash(): Promise<Blockhash> {
    type Answer = { value: { blockhash: Blockhash } };
    return (await this.ask<Answer>('getLatestBlockhash', [{ commitment: 'confirmed' }])).value.blockhash;
  }

  async sign(
    instructions: readonly Instruction[],
    options: { version?: 0 | 'legacy'; blockhash?: Blockhash } = {},
  ): Promise<SignedTransaction> {
    const lifetime = {
      blockhash: options.blockhash ?? (await this.blockhash()),
      lastValidBlockHeight: 2n ** 63n,
    };
    const message = pipe(
      createTransactionMessage({ version: options.version ?? 'legacy' }),
      (draft) => setTransactionMessageFeePayerSigner(this.wallet, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    return {
      signature: getSignatureFromTransaction(transaction),
      wire: getBase64EncodedWireTransaction(transaction),
    };
  }

  /** Sends the transaction, waits for its confirmation and returns the signature. Throws if preflight refuses it. */
  async send(
    instructions: readonly Instruction[],
    options: { version?: 0 | 'legacy'; skipPreflight?: boolean } = {},
  ): Promise<Signature> {
    const { signature, wire } = await this.sign(instructions, options);
    const config = {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
      skipPreflight: options.skipPreflight ?? false,
    };
    await this.ask('sendTransaction', [wire, config]);
    await this.landed(signature);
    return signature;
  }

  /**
   * Returns instructions that create, initialize and delegate an account with `lamports`. `stake` signs too.
   */
  async stakeInstructions(
    stake: KeyPairSigner,
    voteAccount: string,
    lamports: bigint,
  ): Promise<Instruction[]> {
    const authority = this.wallet.address;
    return [
      getCreateAccountInstruction({
        payer: this.wallet,
        newAccount: stake,
        lamports,
        space: STAKE_BYTES,
        programAddress: STAKE_PROGRAM,
      }),
      getInitializeInstruction({
        stake: stake.address,
        arg0: { staker: authority, withdrawer: authority },
        arg1: { unixTimestamp: 0n, epoch: 0n, custodian: NO_CUSTODIAN },
      }),
      getDelegateStakeInstruction({
        stake: stake.address,
        vote: voteAccount as Address,
        stakeAuthority: this.wallet,
      }),
    ];
  }

  deactivation(stake: Address): Instruction {
    return getDeactivateInstruction({ stake, stakeAuthority: this.wallet });
  }

  withdrawal(stake: Address, lamports: bigint): Instruction {
    return getWithdrawInstruction({
      stake,
      recipient: this.wallet.address,
      withdrawAuthority: this.wallet,
      args: lamports,
    });
  }

  transfer(destination: Address, lamports: bigint): Instruction {
    return getTransferSolInstruction({ source: this.wallet, destination, amount: lamports });
  }

  memo(text: string): Instruction {
    return getAddMemoInstruction({ memo: text }, { programAddress: MEMO_PROGRAM });
  }

  async epoch(): Promise<number> {
    return (await this.ask<{ epoch: number }>('getEpochInfo', [{ commitment: 'confirmed' }])).epoch;
  }

  /** Waits until the confirmed slot is in `epoch`. */
  async untilEpoch(epoch: number): Promise<void> {
    const patience = AbortSignal.timeout(EPOCH_WITHIN_MS);
    while ((await this.epoch()) < epoch) {
      patience.throwIfAborted();
      await delay(200);
    }
  }
}
