// Runs random command sequences on a real validator. Predicts the result of each transaction with the stake
// machine and the withdrawable amount with Holdfast's rules, both to the lamport.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address, Instruction } from '@solana/kit';
import { askRpc } from '../../scripts/cluster/test-validator.ts';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { applyOperations } from '../../src/domain/machine/stake-machine.ts';
import type {
  MachineAccount,
  MachineAccounts,
  MachineChain,
  MachineOperation,
} from '../../src/domain/machine/stake-machine-state.ts';
import { decodeStakeAccount, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import {
  decodeStakeHistory,
  STAKE_HISTORY_ADDRESS,
  type StakeArithmetic,
  type StakeHistory,
} from '../../src/domain/stake/stake-history.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { type DrawnWorld, MachineTransactions } from '../support/machine-transactions.ts';
import { TruthChecker } from '../support/truth-check.ts';
import * as build from '../support/truth-instructions.ts';
import { compileUnsigned, keyBytes } from '../support/truth-message.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';
import type { TruthRefusal } from '../support/truth-runtime.ts';
import { newWallet, type TestWallet, walletOfSeed } from '../support/wallets.ts';
import { type ClusterWorld, compareIndex } from './scenarios.ts';

const SOL = 1_000_000_000n;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address;
const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111' as Address;
const EPOCH_REWARDS_ACTIVE_BYTE = 80;
const STEPS = 10;
const FIRST_SEED = 20_261_123;
/** Number of concurrent sequences. A sequence mostly waits for its epoch to end. */
const AT_ONCE = 160;
/** Number of owners whose accounts are compared with the service's index at the end. */
const OWNERS_COMPARED = 200;
const MAX_BYTES = 1_232;
const OWNER_LAMPORTS = 3_000n * SOL;
/**
 * Balance of each wallet. It covers the payer's fees and keeps the other wallets above their rent-exempt
 * minimums after any withdrawal.
 */
const WALLET_LAMPORTS = SOL;
/**
 * Amount of the large stake. About a tenth of the cluster's initial stake can warm up per epoch, so everything
 * activated with this stake takes several epochs.
 */
const WHALE_LAMPORTS = 400_000n * SOL;
const STATUSES_PER_CALL = 256;
/** Number of calls per batch request. Agave accepts requests of up to 50 kB. */
const CALLS_PER_REQUEST = 25;

/** Keys, addresses and random numbers of one sequence. */
interface Sequence {
  readonly seed: number;
  readonly random: TruthRandom;
  readonly payer: Address;
  /** The owner, staker and custodian. Their balances are compared as well. */
  readonly holders: readonly Address[];
  readonly wallets: ReadonlyMap<Address, TestWallet>;
  /** Addresses used in transactions, including some that do not exist. */
  readonly addresses: Set<Address>;
  /** The generated state, with epoch and time from the last read. */
  readonly world: DrawnWorld & { readonly runtime: { epoch: bigint; unixTimestamp: bigint } };
  readonly checker: TruthChecker;
  readonly history: string[];
}

/** State of the chain and of a sequence's accounts at one slot. */
interface Facts {
  readonly slot: number;
  readonly chain: MachineChain;
  readonly accounts: MachineAccounts;
}

type RpcAccount = { lamports: number; owner: string; data: [string, string] } | null;
type TransactionError = string | Readonly<Record<string, unknown>> | null;

const refusalOf = (error: TransactionError): TruthRefusal | null => {
  if (error === null) return null;
  if (typeof error === 'string') return { operation: null, code: `Transaction ${error}` };
  if ('InsufficientFundsForRent' in error) return { operation: null, code: 'InsufficientFundsForRent' };
  const [operation, inner] = (error.InstructionError ?? [null, JSON.stringify(error)]) as [number, unknown];
  const code =
    typeof inner === 'object' && inner !== null && 'Custom' in inner ? `Custom ${inner.Custom}` : `${inner}`;
  return { operation, code };
};

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    typeof one === 'bigint' ? `${one}` : one instanceof Map ? Object.fromEntries(one) : one,
  );

interface SequenceChainOptions {
  readonly rpcUrl: string;
  readonly slotsPerEpoch: number;
  readonly rentLamports: bigint;
  readonly votes: readonly Address[];
  readonly arithmetic: StakeArithmetic;
}

/** One chain shared by many sequences. Requests statuses in batches and shares blockhashes. */
class SequenceChain {
  readonly #options: SequenceChainOptions;
  readonly #histories = new Map<bigint, Promise<StakeHistory>>();
  readonly #waiting = new Map<string, (ended: { slot: number; refusal: TruthRefusal | null }) => void>();
  #blockhash: { readonly bytes: Uint8Array; readonly atMs: number } | undefined;
  #polling = false;
  readonly #sent = new Set<string>();

  constructor(options: SequenceChainOptions) {
    this.#options = options;
  }

  #ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    return askRpc<T>(this.#options.rpcUrl, method, params);
  }

  async #accounts(addresses: readonly Address[], minContextSlot: number) {
    type Answer = { context: { slot: number }; value: RpcAccount[] };
    for (;;) {
      try {
        const config = { encoding: 'base64', commitment: 'confirmed', minContextSlot };
        const { context, value } = await this.#ask<Answer>('getMultipleAccounts', [addresses, config]);
        return {
          slot: context.slot,
          found: value.map((one, i) =>
            one === null || one.lamports === 0
              ? null
              : {
                  address: addresses[i]!,
                  owner: one.owner as Address,
                  lamports: BigInt(one.lamports),
                  data: new Uint8Array(Buffer.from(one.data[0], 'base64')),
                },
          ),
        };
      } catch (error) {
        if (!String(error).includes('Minimum context slot')) throw error;
        await delay(100);
      }
    }
  }

  /**
   * Reads the stake history, which changes only at epoch boundaries. A later read may return the next epoch's
   * history, which includes this epoch's total.
   */
  #history(epoch: bigint, slot: number): Promise<StakeHistory> {
    let cached = this.#histories.get(epoch);
    if (cached === undefined) {
      cached = this.#accounts([STAKE_HISTORY_ADDRESS as Address], slot).then(({ found: [sysvar] }) =>
        decodeStakeHistory(sysvar!.data, this.#options.arithmetic),
      );
      this.#histories.set(epoch, cached);
    }
    return cached;
  }

  async facts(sequence: Sequence, minContextSlot = 0): Promise<Facts> {
    const own = new Set([...sequence.holders, ...sequence.addresses]);
    const { slot, found } = await this.#accounts([CLOCK, EPOCH_REWARDS, ...own], minContextSlot);
    const [clock, rewards, ...rest] = found;
    const view = new DataView(clock!.data.buffer);
    const epoch = view.getBigUint64(16, true);
    const unixTimestamp = view.getBigInt64(32, true);
    Object.assign(sequence.world.runtime, { epoch, unixTimestamp });
    const stakes = new Map<Address, MachineAccount>();
    const wallets = new Map<Address, bigint>();
    for (const raw of rest) {
      if (raw === null) continue;
      const account = decodeStakeAccount(raw);
      const { address, lamports } = raw;
      if (account) stakes.set(address, account);
      else if (raw.owner !== STAKE_PROGRAM) wallets.set(address, lamports);
      else
        stakes.set(address, { kind: raw.data.length === 0 ? 'empty' : 'uninitialized', address, lamports });
    }
    const history = await this.#history(epoch, slot);
    return {
      slot,
      accounts: { stakes, wallets },
      chain: {
        epoch,
        unixTimestamp,
        history,
        stakeRentLamports: this.#options.rentLamports,
        epochRewardsActive: rewards?.data[EPOCH_REWARDS_ACTIVE_BYTE] === 1,
        minimumDelegationLamports: SOL,
        voteCredits: new Map(this.#options.votes.map((vote) => [vote, 0n])),
      },
    };
  }

  /** Reads the state once `epoch` has begun and its rewards are paid. */
  async factsFrom(sequence: Sequence, epoch: bigint): Promise<Facts> {
    for (;;) {
      const facts = await this.facts(sequence);
      if (facts.chain.epoch >= epoch && !facts.chain.epochRewardsActive) return facts;
      await delay(300 + sequence.random.int(300));
    }
  }

  epochOf(slot: number): bigint {
    return BigInt(Math.floor(slot / this.#options.slotsPerEpoch));
  }

  /**
   * Simulates the transactions in the epoch of `facts`. Returns the program's responses, or null if the epoch
   * has ended.
   */
  async simulate(
    payer: Address,
    all: readonly (readonly Instruction[])[],
    facts: Facts,
  ): Promise<readonly (string | null)[] | null> {
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      minContextSlot: facts.slot,
    };
    const responses: (string | null)[] = [];
    for (let i = 0; i < all.length; i += CALLS_PER_REQUEST) {
      const calls = all.slice(i, i + CALLS_PER_REQUEST).map((instructions, id) => {
        const { messageBytes, signatures } = compileUnsigned(payer, instructions);
        const count = Object.keys(signatures).length;
        const wire = Buffer.concat([
          Buffer.from([count]),
          Buffer.alloc(64 * count),
          Uint8Array.from(messageBytes),
        ]);
        return {
          jsonrpc: '2.0',
          id,
          method: 'simulateTransaction',
          params: [wire.toString('base64'), config],
        };
      });
      const response = await fetch(this.#options.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(calls),
        signal: AbortSignal.timeout(60_000),
      });
      type Answer = { id: number; result?: { context: { slot: number }; value: { err: TransactionError } } };
      const unordered = (await response.json()) as Answer[];
      for (const { result, ...rest } of unordered.toSorted((one, other) => one.id - other.id)) {
        if (result === undefined) throw new Error(`simulateTransaction: ${JSON.stringify(rest)}`);
        if (this.epochOf(result.context.slot) !== facts.chain.epoch) return null;
        responses.push(refusalOf(result.value.err)?.code ?? null);
      }
    }
    return responses;
  }

  async #recentBlockhash(): Promise<Uint8Array> {
    if (this.#blockhash === undefined || Date.now() - this.#blockhash.atMs > 2_000) {
      type Answer = { value: { blockhash: Address } };
      const { value } = await this.#ask<Answer>('getLatestBlockhash', [{ commitment: 'confirmed' }]);
      this.#blockhash = { bytes: keyBytes(value.blockhash), atMs: Date.now() };
    }
    return this.#blockhash.bytes;
  }

  /** Signs with every required wallet. Returns null if the transaction exceeds the packet size. */
  async sign(
    payer: Address,
    instructions: readonly Instruction[],
    wallets: ReadonlyMap<Address, TestWallet>,
  ): Promise<Buffer | null> {
    const { messageBytes, signatures } = compileUnsigned(payer, instructions);
    const message = Uint8Array.from(messageBytes);
    const signers = Object.keys(signatures) as Address[];
    for (;;) {
      message.set(await this.#recentBlockhash(), 4 + 32 * message[3]!);
      const signed = signers.map((address) => wallets.get(address)!.sign(message));
      const wire = Buffer.concat([Buffer.from([signers.length]), ...signed, message]);
      if (wire.length > MAX_BYTES) return null;
      // A known signature means that the same transaction was already sent with the same blockhash.
      const signature = encodeBase58(wire.subarray(1, 65));
      if (!this.#sent.has(signature)) {
        this.#sent.add(signature);
        return wire;
      }
      await delay(200);
    }
  }

  /**
   * Sends without preflight, so refused transactions also land, and waits until the transaction is confirmed.
   */
  async send(wire: Buffer): Promise<{ slot: number; refusal: TruthRefusal | null }> {
    const signature = encodeBase58(wire.subarray(1, 65));
    const ended = new Promise<{ slot: number; refusal: TruthRefusal | null }>((resolve) =>
      this.#waiting.set(signature, resolve),
    );
    if (!this.#polling) void this.#poll();
    const over = new AbortController();
    void ended.then(() => over.abort());
    for (let sent = 0; !over.signal.aborted; sent += 1) {
      if (sent > 60) throw new Error(`${signature} did not land`);
      const config = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
      await this.#ask('sendTransaction', [wire.toString('base64'), config]).catch(() => undefined);
      await delay(2_000, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return ended;
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    type Answer = { value: ({ slot: number; err: TransactionError; confirmationStatus: string } | null)[] };
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting.keys()];
      for (let i = 0; i < all.length; i += STATUSES_PER_CALL) {
        const some = all.slice(i, i + STATUSES_PER_CALL);
        const answer = await this.#ask<Answer>('getSignatureStatuses', [some]).catch(() => null);
        answer?.value.forEach((status, k) => {
          if (status === null || status.confirmationStatus === 'processed') return;
          this.#waiting.get(some[k]!)?.({ slot: status.slot, refusal: refusalOf(status.err) });
          this.#waiting.delete(some[k]!);
        });
      }
      await delay(200);
    }
    this.#polling = false;
  }
}

/**
 * Returns accounts in a comparable form. `withCredits` is false if the transaction delegated, because a new
 * delegation stores the vote credits of the slot in which it lands.
 */
const comparable = ({ stakes, wallets }: MachineAccounts, withCredits: boolean) => ({
  stakes: [...stakes]
    .map(([address, account]) => {
      if (withCredits || !('delegation' in account) || account.delegation === null) return [address, account];
      return [address, { ...account, delegation: { ...account.delegation, creditsObserved: 0n } }];
    })
    .sort(([one], [other]) => (one! < other! ? -1 : 1)),
  wallets: [...wallets].sort(([one], [other]) => (one < other ? -1 : 1)),
});

const addressesOf = (operation: MachineOperation): Address[] =>
  (['account', 'into', 'from', 'to'] as const).flatMap((name) =>
    name in operation ? [(operation as unknown as Record<string, Address>)[name]!] : [],
  );

/**
 * Generates two stake accounts of random size, usually delegated to the cluster's main validator, for later
 * steps.
 */
const firstStakes = ({ random, keys, newAddress }: DrawnWorld): readonly MachineOperation[] =>
  [newAddress(), newAddress()].flatMap((account) => {
    const { owner } = keys;
    const lockup = { epoch: 0n, unixTimestamp: 0n, custodian: owner };
    const voteAccount = random.chance(0.85) ? keys.votes[0]! : keys.votes[1]!;
    return [
      { type: 'create', account, payer: owner, lamports: 2n * SOL + random.lamports(1_000n * SOL) },
      { type: 'initialize', account, stakeAuthority: owner, withdrawAuthority: owner, lockup },
      { type: 'delegate', account, voteAccount, authority: owner },
    ] as const;
  });

/** Generates one transaction, predicts its result, sends it and compares the result with the prediction. */
const transact = async (
  chain: SequenceChain,
  sequence: Sequence,
  before: Facts,
  count: ClusterWorld['count'],
  draw: (now: Facts) => readonly MachineOperation[],
): Promise<Facts> => {
  const { wallets, payer, history } = sequence;
  let operations: readonly MachineOperation[];
  let wire: Buffer | null;
  do {
    operations = draw(before);
    wire = await chain.sign(payer, operations.map(instructionOf), wallets);
  } while (wire === null);
  for (const address of operations.flatMap(addressesOf)) sequence.addresses.add(address);
  const expected = applyOperations(operations, before.accounts, before.chain);
  const { slot, refusal } = await chain.send(wire);
  const after = await chain.facts(sequence, slot);
  for (const address of sequence.addresses)
    if (!after.accounts.stakes.has(address) && !after.accounts.wallets.has(address))
      sequence.addresses.delete(address);
  const isOneMoment =
    before.chain.epoch === after.chain.epoch &&
    before.chain.epochRewardsActive === after.chain.epochRewardsActive;
  history.push(
    `epoch ${after.chain.epoch} slot ${slot}: ${shown(operations)}: ${shown(refusal)}${isOneMoment ? '' : ' (across a boundary)'}`,
  );
  count('sequences: transactions');
  if (!isOneMoment) {
    count('sequences: transactions across a boundary, not compared');
    return after;
  }
  assert.deepEqual(expected.ok ? null : expected.refusal, refusal, `before ${shown(before)}`);
  count(refusal === null ? 'sequences: transactions accepted' : 'sequences: transactions refused');
  // Balances increase while rewards are being paid.
  if (!after.chain.epochRewardsActive) {
    const left = expected.ok ? expected.accounts : before.accounts;
    const withCredits = operations.every(({ type }) => type !== 'delegate');
    assert.deepEqual(
      comparable(left, withCredits),
      comparable(after.accounts, withCredits),
      `before ${shown(before)}`,
    );
    count('sequences: accounts compared', after.accounts.stakes.size);
  }
  return after;
};

const question = async (
  chain: SequenceChain,
  { checker, payer, random }: Sequence,
  facts: Facts,
  count: ClusterWorld['count'],
): Promise<void> => {
  const held = [...facts.accounts.stakes.values()].filter(
    (account): account is StakeAccount => account.kind === 'initialized' || account.kind === 'delegated',
  );
  if (held.length === 0 || facts.chain.epochRewardsActive) return;
  const questions = checker.questions(random.pick(held), facts.chain);
  const responses = await chain.simulate(
    payer,
    questions.map(({ instructions }) => instructions),
    facts,
  );
  if (responses === null) {
    count('sequences: questions across a boundary, not compared', questions.length);
    return;
  }
  for (const [i, one] of questions.entries()) checker.evaluate(one, responses[i] ?? null);
  count('sequences: answers compared', questions.length);
};

/**
 * Runs `sequences` sequences of ten steps each, as many at a time as fit into an epoch, while a large stake
 * warms up and cools down.
 */
export const playSequences = async (
  world: ClusterWorld,
  options: {
    readonly sequences: number;
    /** Time in milliseconds after which no sequence starts. */
    readonly withinMs: number;
    readonly slotsPerEpoch: number;
    readonly otherVoteAccount: string;
    /** Arithmetic of the Stake program on this cluster. */
    readonly arithmetic: StakeArithmetic;
  },
): Promise<void> => {
  const { count, story } = world;
  const votes = [world.voteAccount, options.otherVoteAccount].map((vote) => vote as Address);
  const rent = await world.chain.ask<number>('getMinimumBalanceForRentExemption', [200]);
  const chain = new SequenceChain({
    rpcUrl: world.chain.rpcUrl,
    rentLamports: BigInt(rent),
    votes,
    slotsPerEpoch: options.slotsPerEpoch,
    arithmetic: options.arithmetic,
  });
  const mint = walletOfSeed(
    Uint8Array.from(JSON.parse(readFileSync(world.walletFile, 'utf8')) as number[]).subarray(0, 32),
  );
  const mintAddress = mint.walletAddress as Address;
  const pay = async (
    instructions: readonly Instruction[],
    more: ReadonlyMap<Address, TestWallet> = new Map(),
  ) => {
    const wire = await chain.sign(mintAddress, instructions, new Map([...more, [mintAddress, mint]]));
    const { refusal } = await chain.send(wire!);
    assert.equal(refusal, null);
  };

  const begin = async (seed: number): Promise<Sequence> => {
    const random = createTruthRandom(seed);
    const wallets = new Map<Address, TestWallet>();
    const newKey = (): Address => {
      // The same seed always generates the same sequence, but addresses must be new on this chain.
      const wallet = walletOfSeed(
        createHash('sha256').update(random.bytes(32)).update(newWallet().publicKeyBytes).digest(),
      );
      wallets.set(wallet.walletAddress as Address, wallet);
      return wallet.walletAddress as Address;
    };
    const [owner, staker, custodian, payer] = [newKey(), newKey(), newKey(), newKey()];
    const runtime = { epoch: 0n, unixTimestamp: 0n };
    const keys = { owner, staker, custodian, votes };
    const drawn = { random, keys, runtime, newAddress: newKey };
    await pay([
      build.transfer(mintAddress, owner, OWNER_LAMPORTS),
      ...[staker, custodian, payer].map((wallet) => build.transfer(mintAddress, wallet, WALLET_LAMPORTS)),
    ]);
    const checker = new TruthChecker(createTruthRandom(~seed), votes, payer);
    const holders = [owner, staker, custodian];
    const addresses = new Set<Address>();
    return { seed, random, payer, holders, wallets, addresses, world: drawn, checker, history: [] };
  };
  const compared = new Map<string, number>();
  const failures: string[] = [];
  const owners: Address[] = [];
  const play = async (seed: number): Promise<void> => {
    const sequence = await begin(seed);
    const transactions = new MachineTransactions(sequence.world);
    const draw = ({ accounts, chain: now }: Facts) => transactions.draw(accounts, now);
    try {
      let facts = await chain.factsFrom(sequence, 0n);
      facts = await transact(chain, sequence, facts, count, () => firstStakes(sequence.world));
      for (let step = 0; step < STEPS; step += 1) {
        if (sequence.random.chance(0.3)) {
          facts = await chain.factsFrom(sequence, facts.chain.epoch + 1n);
          count('sequences: boundaries awaited');
        } else facts = await transact(chain, sequence, facts, count, draw);
        await question(chain, sequence, facts, count);
      }
      count('sequences');
      owners.push(sequence.holders[0]!);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      failures.push(`seed ${seed}: ${text}\n${sequence.history.join('\n')}`);
      story.tell(failures.at(-1)!);
    }
    for (const [what, times] of sequence.checker.counts)
      compared.set(what, (compared.get(what) ?? 0) + times);
  };

  let isOver = false;
  const whale = async (): Promise<void> => {
    while (!isOver) {
      const wallet = newWallet();
      const address = wallet.walletAddress as Address;
      const none = { unixTimestamp: 0n, epoch: 0n, custodian: address };
      const wallets = new Map([[address, wallet]]);
      await world.chain.nextEpoch();
      await pay(
        [
          build.createStake(mintAddress, address, WHALE_LAMPORTS),
          build.initialize(address, mintAddress, mintAddress, none),
          build.delegate(address, votes[0]!, mintAddress),
        ],
        wallets,
      );
      for (let i = 0; i < 4 && !isOver; i += 1) await world.chain.nextEpoch();
      await pay([build.deactivate(address, mintAddress)]);
      for (let i = 0; i < 3 && !isOver; i += 1) await world.chain.nextEpoch();
    }
  };
  const whales = whale().catch((error: unknown) => failures.push(`the large stake: ${String(error)}`));

  const untilMs = Date.now() + options.withinMs;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < options.sequences && failures.length < 5 && Date.now() < untilMs) {
      const drawn = next;
      next += 1;
      await play(FIRST_SEED + drawn);
      if ((drawn + 1) % 100 === 0)
        story.tell(`${drawn + 1} sequences started, epoch ${await world.chain.epoch()}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, options.sequences) }, worker));
  isOver = true;
  await whales;
  story.tell(shown(Object.fromEntries([...compared].sort())));
  assert.deepEqual(failures, []);
  await world.chain.nextEpoch();
  await compareIndex(world, owners.slice(-OWNERS_COMPARED));
};
