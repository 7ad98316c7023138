// Compares events with an oracle that sees every block. With random histories, late finality, kills at any
// write, restarts and outages, each event must be reported exactly once.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import type { Address, Instruction } from '@solana/kit';
import type { LandedStakeTransaction } from '../../src/chain/transactions/landed-stake-transactions.ts';
import { eventTypes } from '../../src/domain/notification-types.ts';
import { goalNames } from '../../src/domain/plan/plan-goals.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { type StakeActivation, stakeActivation } from '../../src/domain/stake/stake-activation.ts';
import type { StakeHistory } from '../../src/domain/stake/stake-history.ts';
import { type StakeOperation, touchedBy } from '../../src/domain/stake/stake-operation.ts';
import { Watcher } from '../../src/events/watcher/watcher.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { expectedChanges } from '../support/change-oracle.ts';
import { EventsChain } from '../support/events-chain.ts';
import { expectedFacts, isHidden } from '../support/events-oracle.ts';
import { patience } from '../support/patience.ts';
import { PlanCommands } from '../support/plan-commands.ts';
import { createManualClock } from '../support/steerable-clock.ts';
import { openTestStore } from '../support/store-fixture.ts';
import { TruthCommands } from '../support/truth-commands.ts';
import { createTruthRandom } from '../support/truth-random.ts';
import { type Refusal, TruthRuntime } from '../support/truth-runtime.ts';
import { voteAccountData } from '../support/truth-vote-account.ts';
import { type TruthKeys, TruthWorld } from '../support/truth-world.ts';
import { WatchCommands } from '../support/watch-commands.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const HISTORIES = 60;
/** Number of random histories per kind, in addition to the fixed ones. */
const DRAWN = FULL ? 600 : 0;
const STEPS = 40;
const FIRST_SEED = 20_261_121;
/** From this seed on, histories contain Holdfast's plans and other transactions of several instructions. */
const FIRST_PLANNED_SEED = 20_271_121;
/** From this seed on, histories also contain thefts, and the registrations subscribe to every event type. */
const FIRST_WATCHED_SEED = 20_281_121;
/** From this seed on, histories have random seeds. The seed modulo three is their kind. */
const FIRST_DRAWN_SEED = 30_000_000;
const LAST_DRAWN_SEED = 2_000_000_000;
/**
 * The watcher reconstructs past stakes only to within a few lamports. In a cluster with only a few lamports of
 * stake, that would change whether a stake is effective.
 */
const CLUSTER = { leastRestLamports: 30_000_000_000n };
/** Epoch lengths of Mainnet and of Agave's shortest epoch, which takes 13 s. */
const SLOTS_PER_EPOCH = [432_000n, 32n];
/** A plan may contain more transactions than the shortest epoch has slots. */
const SLOTS_PER_PLANNED_EPOCH = [432_000n, 128n];
/** Accounts were stored before their events, so two events were lost when a process was killed in between. */
const KILLED_IN_BETWEEN = 20_261_203;
/**
 * The deactivation of two accounts was undone in the slot of their last read, and the accounts were then merged
 * away. One delegation was counted twice.
 */
const UNDONE_WHERE_LAST_READ = 20_272_120;
/**
 * Stake was moved into an inactive account and deactivated with it before any poll, although the account had
 * been ready before.
 */
const MOVED_AND_DEACTIVATED = 20_272_456;
/**
 * An account was split off and deactivated in the slot of its last read, and later delegated to another
 * validator.
 */
const SPLIT_WHERE_LAST_READ = 20_281_526;
/**
 * An account gave away all of its stake, was delegated again and closed. Its first stake had never been
 * deactivated.
 */
const EMPTIED_AND_DELEGATED_AGAIN = 20_273_765;
/**
 * Another key gave an account to the wallet and delegated it to another validator before a poll ended, so no
 * source lists it.
 */
const GIVEN_AND_TAKEN_UNSEEN = 20_282_602;
/**
 * SOL was withdrawn from an account to another address, and the account was then merged into another one of the
 * wallet. No stake left the validator.
 */
const WITHDRAWN_AND_MERGED = 20_282_474;
/**
 * An account gave its stake away twice in one transaction, first all of it and then a part. No poll could
 * complete.
 */
const EMPTIED_THEN_SHARED = 700_000_582;
/**
 * In one transaction, an account was split off after its parent was delegated to another validator. Only the
 * parent moved away.
 */
const SPLIT_AFTER_MOVING_AWAY = 700_000_484;
/**
 * Two histories that once failed. In one, the first activation epoch differed from the program's. In the other,
 * a stake moved away through several operations.
 */
const EARLIER_FAILURES = { planned: 20_273_553, watched: 20_282_761 };
const SYSTEM = '11111111111111111111111111111111' as Address;
const VOTE = 'Vote111111111111111111111111111111111111111' as Address;
const logger = createLogger('silent');

/** The real program. Each transaction that it accepts becomes a block of the sequence's chain. */
class ChainRuntime extends TruthRuntime {
  chain: EventsChain | null = null;

  override send(instructions: readonly Instruction[]): Refusal {
    return this.chain === null
      ? super.send(instructions)
      : this.chain.send(instructions, () => super.send(instructions));
  }
}

const prepare = (): { runtime: ChainRuntime; keys: TruthKeys } => {
  const random = createTruthRandom(1);
  const key = (): Uint8Array => random.bytes(32);
  const address = () => readAddressAt(key(), 0);
  const runtime = new ChainRuntime(address());
  const keys = { owner: address(), staker: address(), custodian: address(), votes: [address(), address()] };
  for (const wallet of [keys.owner, keys.staker, keys.custodian])
    runtime.setAccount({ address: wallet, owner: SYSTEM, lamports: 10n ** 17n, data: new Uint8Array() });
  for (const vote of keys.votes)
    runtime.setAccount({ address: vote, owner: VOTE, lamports: 10n ** 9n, data: voteAccountData(key()) });
  return { runtime, keys };
};

type Life = Pick<PlanCommands, 'step'>;

const kinds = ['plain', 'planned', 'watched'] as const;
type Kind = (typeof kinds)[number];

const kindOf = (seed: number): Kind => {
  if (seed >= FIRST_DRAWN_SEED) return kinds[seed % kinds.length]!;
  if (seed < FIRST_PLANNED_SEED) return 'plain';
  return seed < FIRST_WATCHED_SEED ? 'planned' : 'watched';
};

const lifeOf = (world: TruthWorld, seed: number): Life => {
  const kind = kindOf(seed);
  if (kind === 'plain') return new TruthCommands(world);
  return kind === 'planned' ? new PlanCommands(world) : new WatchCommands(world);
};

/** Makes one random step. Time never goes back, and a reward distribution ends with its step. */
const stepOf = (life: Life, runtime: TruthRuntime): string => {
  const { epoch, unixTimestamp } = runtime;
  const { command } = life.step();
  runtime.setEpochRewardsActive(false);
  if (runtime.unixTimestamp < unixTimestamp) runtime.setTime(unixTimestamp);
  return runtime.epoch > epoch + 100n ? 'leap' : command;
};

/**
 * Returns the number of steps before the first jump past the whole stake history. No watcher recovers from such
 * a jump, so later steps do not count.
 */
const stepsBeforeLeap = (seed: number, { runtime, keys }: ReturnType<typeof prepare>): number => {
  const life = lifeOf(new TruthWorld(runtime, keys, createTruthRandom(seed), CLUSTER), seed);
  for (let step = 0; step < STEPS; step += 1) if (stepOf(life, runtime) === 'leap') return step;
  return STEPS;
};

/** Parses `HOLDFAST_TEST_SEED`: one seed, or `from-to`. */
const range = (text: string): readonly number[] => {
  const [from, to = from] = text.split('-').map(Number);
  return Array.from({ length: to! - from! + 1 }, (_, i) => from! + i);
};

/** Transaction shapes that must occur in the histories with plans. */
const SHAPES = [
  'split and deactivate',
  'moveStake and deactivate',
  'merge',
  'merge of an activating stake into one without a delegation or cooled down',
  'merge of an active stake into an active one',
  'several operations on one account',
  ...goalNames.filter((name) => name !== 'rescue'),
] as const;

/** Returns which of `SHAPES` a landed transaction has. */
const shapesOf = (
  { operations }: LandedStakeTransaction,
  before: EventsChain['blocks'][number],
  history: StakeHistory,
): readonly (typeof SHAPES)[number][] => {
  const types = new Set(operations.map(({ type }) => type));
  const touched = operations.flatMap(touchedBy);
  const partsOf = (address: Address) => {
    const raw = before.accounts.get(address);
    const delegation = raw && decodeStakeAccount(raw)?.delegation;
    return delegation ? stakeActivation(delegation, before.epoch, history) : null;
  };
  const merges = operations.flatMap((one) =>
    one.type === 'merge' ? [{ from: partsOf(one.from), into: partsOf(one.account) }] : [],
  );
  return [
    ...(types.has('split') && types.has('deactivate') ? (['split and deactivate'] as const) : []),
    ...(types.has('moveStake') && types.has('deactivate') ? (['moveStake and deactivate'] as const) : []),
    ...(merges.length > 0 ? (['merge'] as const) : []),
    ...(merges.some(({ from, into }) => from?.activatingLamports && isNothing(into))
      ? (['merge of an activating stake into one without a delegation or cooled down'] as const)
      : []),
    ...(merges.some(({ from, into }) => from?.effectiveLamports && into?.effectiveLamports)
      ? (['merge of an active stake into an active one'] as const)
      : []),
    ...(new Set(touched).size < touched.length ? (['several operations on one account'] as const) : []),
  ];
};

const isNothing = (parts: StakeActivation | null): boolean =>
  parts === null || parts.effectiveLamports + parts.activatingLamports + parts.deactivatingLamports === 0n;

const shown = (operation: StakeOperation): string =>
  `${operation.type} ${touchedBy(operation)
    .map((one) => one.slice(0, 4))
    .join(' ')}`;

const CHANGES = [
  'stake_authority_changed',
  'stake_lockup_changed',
  'stake_moved_away',
  'unexpected_deactivation',
] as const;

/** Thrown to simulate a process that ends during a poll. */
class Killed extends Error {}

interface RecordedEvent {
  readonly type: string;
  readonly data: Record<string, string | number | null | boolean>;
}

const nameOf = ({ type, data }: RecordedEvent): string =>
  isChange({ type }) ? `${type} ${data.stakeAccountAddress} ${data.signature}` : stakeNameOf({ type, data });

const isChange = ({ type }: Pick<RecordedEvent, 'type'>): boolean =>
  CHANGES.some((change) => change === type);

const stakeNameOf = ({ type, data }: RecordedEvent): string =>
  [
    type,
    data.stakeAccountAddress,
    ...(type === 'withdraw_ready' ? [] : [data.activationEpoch]),
    ...(type === 'stake_activated' ? [] : [data.deactivationEpoch]),
  ].join(' ');

/**
 * Returns the deactivations that were reported before the epoch preceding their own had ended. Late reports are
 * allowed, for deactivations made under an earlier owner or discovered late.
 */
const tooEarly = (recorded: readonly RecordedEvent[]): readonly string[] => {
  const ends = recorded.map(({ type, data }) => (type === 'epoch_complete' ? Number(data.epoch) : -1));
  return recorded.flatMap((one, at) =>
    one.type === 'stake_deactivated' && ends.indexOf(Number(one.data.deactivationEpoch) - 1) > at
      ? [nameOf(one)]
      : [],
  );
};

/** Runs the histories and compares the reported events. Returns how often each case occurred. */
const tellHistories = async (
  scope: TestContext,
  seeds: readonly number[],
): Promise<ReadonlyMap<string, number>> => {
  const { runtime, keys } = prepare();
  // The rehearsal of a sequence uses the same seed and thus the same addresses, so it needs a separate runtime.
  const rehearsal = prepare();
  const voteAccount = keys.votes[0]!;
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  for (const seed of seeds) {
    const steps = stepsBeforeLeap(seed, rehearsal);
    const random = createTruthRandom(seed);
    const chance = createTruthRandom(~seed);
    const world = new TruthWorld(runtime, keys, random, CLUSTER);
    const life = lifeOf(world, seed);
    const kind = kindOf(seed);
    const slotsPerEpoch = kind === 'plain' ? SLOTS_PER_EPOCH : SLOTS_PER_PLANNED_EPOCH;
    const chain = new EventsChain(runtime, voteAccount, slotsPerEpoch[seed % 2]!);
    runtime.chain = chain;
    const store = await openTestStore(scope);
    const ports = chain.ports();
    const log: string[] = [];
    const clock = createManualClock(Number(runtime.unixTimestamp) * 1_000);
    const signal = patience();
    // A process may be killed before or after any write.
    const faults = createTruthRandom(seed ^ 0x5eed);
    let isFaulty = true;
    const killable =
      <Args extends unknown[], Answer>(write: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        if (isFaulty && faults.chance(0.2)) throw new Killed();
        const response = await write(...args);
        if (isFaulty && faults.chance(0.05)) throw new Killed();
        return response;
      };
    const outbox = { ...store.outbox, record: killable(store.outbox.record) };
    const watched = { ...store.watched, save: killable(store.watched.save) };
    const start = () =>
      new Watcher({
        ...ports,
        webhooks: store.webhooks,
        outbox,
        watched,
        voteAccount,
        clock,
        logger,
        onRecorded: () => undefined,
      });
    let watcher: Watcher | null = start();
    const polled = new Set<number>();
    const registrations: { id: string; at: number; epoch: bigint }[] = [];
    const register = async () => {
      const at = chain.blocks.length - 1;
      const block = chain.blocks[at]!;
      const id = `${seed}-${registrations.length}`;
      registrations.push({ id, at, epoch: block.epoch });
      const registered = {
        id,
        kind: 'events' as const,
        walletAddress: keys.owner,
        callbackUrl: 'https://receiver.example/',
        events: kind === 'watched' ? eventTypes : eventTypes.slice(0, 4),
        createdAtMs: Number(block.seconds) * 1_000,
        createdEpoch: block.epoch,
        createdSlot: block.slot,
        client: 'network',
      };
      await store.webhooks.register(registered, { perWalletAndClient: 100, perClient: 100 });
    };
    for (let step = 0; step < steps; step += 1) {
      const height = chain.blocks.length;
      const landed = chain.transactions.length;
      const { epoch, unixTimestamp } = runtime;
      const command = stepOf(life, runtime);
      if (runtime.epoch !== epoch || runtime.unixTimestamp !== unixTimestamp) chain.pass();
      if (chain.blocks.length > height)
        log.push(`${step} slot ${chain.blocks.at(-1)!.slot} epoch ${runtime.epoch} ${command}`);
      for (const transaction of chain.transactions.slice(landed)) {
        const { slot, operations } = transaction;
        log.push(`${step} slot ${slot} ${operations.map(shown).join(', ')}`);
        if (kind === 'plain') continue;
        const before = chain.blocks.findLast((block) => block.slot < slot)!;
        for (const shape of shapesOf(transaction, before, runtime.history)) count(shape);
      }
      if (kind !== 'plain') count(command);
      if (registrations.length < 3 && chance.chance(registrations.length === 0 ? 0.3 : 0.03)) {
        await register();
        log.push(`${step} registered`);
      }
      clock.advance(5_000);
      chain.lag = chance.pick([0, 0, 1, 2, 5]);
      if (watcher && chance.chance(0.08)) {
        watcher.close();
        watcher = null;
        log.push(`${step} stopped`);
        count('stopped');
      } else if (watcher === null && chance.chance(0.3)) {
        watcher = start();
        log.push(`${step} started`);
      }
      if (watcher && chance.chance(0.6)) {
        const isKilled = await watcher.poll(signal).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Killed) return true;
            throw error;
          },
        );
        log.push(`${step} ${isKilled ? 'was killed in a poll' : 'polled'} with lag ${chain.lag}`);
        if (!isKilled) {
          const newest = chain.blocks.length - 1;
          polled.add(newest).add(newest - chain.lag);
        } else {
          watcher.close();
          watcher = start();
          count('killed');
        }
      }
    }
    chain.lag = 0;
    isFaulty = false;
    watcher ??= start();
    for (let poll = 0; poll < 3; poll += 1) await watcher.poll(signal);
    watcher.close();
    polled.add(chain.blocks.length - 1);

    const delegates = new Map<Address, Map<bigint, bigint>>();
    for (const { slot, operations } of chain.transactions)
      for (const operation of operations) {
        if (operation.type !== 'delegate') continue;
        const epochs = delegates.get(operation.account) ?? new Map<bigint, bigint>();
        const epoch = slot / chain.slotsPerEpoch;
        if (!epochs.has(epoch)) epochs.set(epoch, slot);
        delegates.set(operation.account, epochs);
      }
    const oracle = { chain, wallet: keys.owner, voteAccount, history: runtime.history, delegates, polled };
    // Only the last state of a changed lockup counts, because its effect on readiness is not reported exactly
    // (ADR 8).
    const relocked = new Set(
      chain.transactions.flatMap(({ operations }) =>
        operations.flatMap(({ type, account }) => (type === 'setLockup' ? [account] : [])),
      ),
    );
    const isExact = (name: string) =>
      !(name.startsWith('withdraw_ready') && [...relocked].some((account) => name.includes(account)));
    for (const { id, at, epoch } of registrations) {
      const rows = await store.outbox.deliveries(id, { limit: 1_000, before: null, state: null });
      const recorded = rows
        .toReversed()
        .map(({ type, data }): RecordedEvent => ({ type, data: JSON.parse(data) }));
      const facts = recorded.filter((one) => one.type !== 'epoch_complete' && !isChange(one));
      const { news, either } = expectedFacts(oracle, at);
      const isCompared = (name: string) => isExact(name) && !either.has(name);
      const names = facts.map(nameOf).filter(isCompared).toSorted();
      const context = `HOLDFAST_TEST_SEED=${seed}, ${id} from block ${at}\n${log.join('\n')}`;
      assert.deepEqual(names, news.filter(isCompared), context);
      if (kind === 'watched') {
        const { news: changed, either } = expectedChanges(oracle, at);
        const isSure = (name: string) =>
          !either.has(name.slice(name.indexOf(' ') + 1)) &&
          !isHidden(name.split(' ')[1] as Address, at, oracle);
        const changes = recorded.filter((one) => isChange(one) && isSure(nameOf(one)));
        const expected = changed.filter(isSure);
        assert.deepEqual(changes.map(nameOf).toSorted(), expected.toSorted(), context);
        for (const told of Map.groupBy(changes, ({ data }) => data.stakeAccountAddress).values()) {
          const places = told.map((one) => expected.indexOf(nameOf(one)));
          assert.deepEqual(
            places,
            places.toSorted((a, b) => a - b),
            context,
          );
        }
      }
      const ends = recorded.filter(({ type }) => type === 'epoch_complete').map(({ data }) => data.epoch);
      const passed = Number(runtime.epoch - epoch);
      assert.deepEqual(
        ends,
        Array.from({ length: passed }, (_, i) => Number(epoch) + i),
        context,
      );
      assert.deepEqual(tooEarly(recorded), [], context);
      for (const { type } of recorded) count(type);
    }
    runtime.chain = null;
    await store.close();
  }
  if (FULL) console.log(Object.fromEntries(counts));
  return counts;
};

const named = process.env.HOLDFAST_TEST_SEED;
const namedSeeds = named ? range(named) : null;
const seedsFrom = (first: number): readonly number[] =>
  Array.from({ length: HISTORIES }, (_, i) => first + i);
/** Picks new seeds of these kinds for each run, and prints them so a run can be repeated. */
const drawSeeds = (scope: TestContext, ...wanted: readonly Kind[]): readonly number[] => {
  if (DRAWN === 0) return [];
  const first = randomInt(FIRST_DRAWN_SEED, LAST_DRAWN_SEED);
  const last = first + DRAWN * kinds.length - 1;
  scope.diagnostic(`drawn: HOLDFAST_TEST_SEED=${first}-${last}, of kind ${wanted.join(' and ')}`);
  return range(`${first}-${last}`).filter((seed) => wanted.includes(kindOf(seed)));
};
const ALWAYS = [
  'stake_activated',
  'stake_deactivated',
  'withdraw_ready',
  'epoch_complete',
  'stopped',
  'killed',
];

test(`WH-EVENTS: in ${HISTORIES} random histories and ${HISTORIES} with plans and transactions of several instructions, every event is reported exactly once, as expected by an oracle that sees every block`, async (scope) => {
  // Each seed runs only once, because it always creates the same addresses and registrations.
  const special = [
    KILLED_IN_BETWEEN,
    UNDONE_WHERE_LAST_READ,
    MOVED_AND_DEACTIVATED,
    EMPTIED_AND_DELEGATED_AGAIN,
    EMPTIED_THEN_SHARED,
    EARLIER_FAILURES.planned,
  ];
  const seeds = new Set([...special, ...seedsFrom(FIRST_SEED), ...seedsFrom(FIRST_PLANNED_SEED)]);
  const drawn = named ? [] : drawSeeds(scope, 'plain', 'planned');
  const counts = await tellHistories(
    scope,
    namedSeeds?.filter((seed) => kindOf(seed) !== 'watched') ?? [...seeds, ...drawn],
  );
  if (named) return;
  for (const what of ALWAYS)
    assert.ok((counts.get(what) ?? 0) > HISTORIES / 4, `${what} hardly ever occurred`);
  for (const shape of SHAPES)
    assert.ok((counts.get(shape) ?? 0) >= HISTORIES / 6, `${shape} hardly ever occurred`);
});

test(`WATCH-1: in ${HISTORIES} histories with thieves, every changed authority or lockup, every stake that moved away and every deactivation by a signer other than the wallet is reported exactly once and in order, as expected by an oracle that sees every block`, async (scope) => {
  const counts = await tellHistories(
    scope,
    namedSeeds?.filter((seed) => kindOf(seed) === 'watched') ?? [
      ...new Set([
        SPLIT_WHERE_LAST_READ,
        GIVEN_AND_TAKEN_UNSEEN,
        WITHDRAWN_AND_MERGED,
        SPLIT_AFTER_MOVING_AWAY,
        EARLIER_FAILURES.watched,
        ...seedsFrom(FIRST_WATCHED_SEED),
      ]),
      ...drawSeeds(scope, 'watched'),
    ],
  );
  if (named) return;
  for (const what of [...ALWAYS, ...CHANGES])
    assert.ok((counts.get(what) ?? 0) > HISTORIES / 4, `${what} hardly ever occurred`);
});
