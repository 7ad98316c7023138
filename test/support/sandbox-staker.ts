// An outside staker that uses @solana/kit with a sandbox: builds, signs, sends and confirms real transactions
// itself.

import {
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getInitializeInstruction,
  getWithdrawInstruction,
} from '@solana-program/stake';
import { getCreateAccountInstruction } from '@solana-program/system';
import { STAKE_ACCOUNT_SPACE, STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { patience } from './patience.ts';

/** A funded wallet and its transactions, with amounts in lamports. */
export class SandboxStaker {
  readonly wallet: KeyPairSigner;
  readonly #sandbox: Sandbox;

  private constructor(sandbox: Sandbox, wallet: KeyPairSigner) {
    this.#sandbox = sandbox;
    this.wallet = wallet;
  }

  static async fund(sandbox: Sandbox, lamports: bigint): Promise<SandboxStaker> {
    const wallet = await generateKeyPairSigner();
    await sandbox.airdrop(wallet.address, lamports, patience());
    return new SandboxStaker(sandbox, wallet);
  }

  /** Wraps a test wallet that already has SOL. */
  static async of(sandbox: Sandbox, { secretKey }: { readonly secretKey: string }): Promise<SandboxStaker> {
    const bytes = new Uint8Array(getBase58Encoder().encode(secretKey));
    return new SandboxStaker(sandbox, await createKeyPairSignerFromBytes(bytes));
  }

  get rpc() {
    return createSolanaRpc(this.#sandbox.rpcUrl);
  }

  /**
   * Creates, initializes and delegates an account with `lamports`, including the rent-exempt minimum. Returns
   * its address.
   */
  async stake(
    lamports: bigint,
    options: { vote?: string; lockupUnixTimestamp?: bigint } = {},
  ): Promise<string> {
    const stake = await generateKeyPairSigner();
    const authority = this.wallet.address;
    const custodian = address('11111111111111111111111111111111');
    const lockup = { unixTimestamp: options.lockupUnixTimestamp ?? 0n, epoch: 0n, custodian };
    await this.send([
      getCreateAccountInstruction({
        payer: this.wallet,
        newAccount: stake,
        lamports,
        space: STAKE_ACCOUNT_SPACE,
        programAddress: address(STAKE_PROGRAM),
      }),
      getInitializeInstruction({
        stake: stake.address,
        arg0: { staker: authority, withdrawer: authority },
        arg1: lockup,
      }),
      this.delegateInstruction(stake.address, options.vote ?? this.#sandbox.voteAccount),
    ]);
    return stake.address;
  }

  delegateInstruction(stake: string, vote: string): Instruction {
    return getDelegateStakeInstruction({
      stake: address(stake),
      vote: address(vote),
      stakeAuthority: this.wallet,
    });
  }

  async deactivate(stake: string): Promise<void> {
    await this.send([getDeactivateInstruction({ stake: address(stake), stakeAuthority: this.wallet })]);
  }

  async withdraw(stake: string, lamports: bigint): Promise<void> {
    await this.send([
      getWithdrawInstruction({
        stake: address(stake),
        recipient: this.wallet.address,
        withdrawAuthority: this.wallet,
        args: lamports,
      }),
    ]);
  }

  /**
   * Sends a plan's operations as one transaction, and returns its signature. `created` are the accounts that
   * the transaction creates. @throws the node's response.
   */
  async rearrange(
    operations: readonly MachineOperation[],
    created: readonly KeyPairSigner[] = [],
  ): Promise<Signature> {
    const { value: blockhash } = await this.rpc.getLatestBlockhash().send();
    const built = buildTransaction.rearrange({
      wallet: this.wallet.address,
      memo: 'example.org',
      blockhash: blockhash.blockhash,
      operations,
    });
    const keys = [this.wallet, ...created].map(({ keyPair }) => keyPair);
    const signed = await signTransaction(keys, getTransactionDecoder().decode(encodeWire(built)));
    await this.rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
    await this.#sandbox.nextBlock(patience());
    return getSignatureFromTransaction(signed);
  }

  /**
   * Sends with preflight and resolves with the signature after the next block. @throws the node's response.
   */
  async send(instructions: readonly Instruction[]): Promise<string> {
    const { signature, send } = await this.prepare(instructions);
    await send();
    await this.#sandbox.nextBlock(patience());
    return signature;
  }

  /** Signs a transaction, so its signature is known before `send` is called. */
  async prepare(
    instructions: readonly Instruction[],
  ): Promise<{ signature: Signature; send(): Promise<unknown> }> {
    const { value: blockhash } = await this.rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayerSigner(this.wallet, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash(blockhash, draft),
      (draft) => appendTransactionMessageInstructions(instructions, draft),
    );
    const transaction = await signTransactionMessageWithSigners(message);
    const wire = getBase64EncodedWireTransaction(transaction);
    return {
      signature: getSignatureFromTransaction(transaction),
      send: () => this.rpc.sendTransaction(wire, { encoding: 'base64' }).send(),
    };
  }

  /** Returns an account's lamports and raw data, or null if it does not exist. */
  async account(of: string): Promise<{ lamports: bigint; data: Buffer } | null> {
    const { value } = await this.rpc.getAccountInfo(address(of), { encoding: 'base64' }).send();
    return value === null ? null : { lamports: value.lamports, data: Buffer.from(value.data[0], 'base64') };
  }
}
