// WATCH-2: random histories of a validator cause no false delinquency report, even if a node lags, lies or is
// the only one. Every commission change is reported once and in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ValidatorAlert,
  type ValidatorResponse,
  ValidatorWatch,
} from '../../src/domain/alerts/detect-validator-changes.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const HISTORIES = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 1_000;
const FIRST_SEED = 20_301_123;
const SLOTS_IN_EPOCH = 800n;
const ROUNDS = 60;

interface Truth {
  readonly slot: bigint;
  readonly lastVoteSlot: bigint;
  readonly earnedEpochs: readonly bigint[];
  readonly terms: Readonly<Record<string, string>>;
}

const lookOf = (
  node: number,
  nodes: number,
  { slot, lastVoteSlot, earnedEpochs, terms }: Truth,
): ValidatorResponse => ({
  node,
  nodes,
  slot,
  lastVoteSlot,
  earnedEpochs,
  terms,
  epoch: slot / SLOTS_IN_EPOCH,
  slotIndex: slot % SLOTS_IN_EPOCH,
  slotsInEpoch: SLOTS_IN_EPOCH,
});

test(`WATCH-2: in ${HISTORIES} random histories of a validator, no single node among several causes a report, a lagging node does not look like a delinquency, and every commission change is reported once and in order`, () => {
  const counts = new Map<string, number>();
  const seeds = process.env.HOLDFAST_TEST_SEED
    ? [Number(process.env.HOLDFAST_TEST_SEED)]
    : Array.from({ length: HISTORIES }, (_, i) => FIRST_SEED + i);
  for (const seed of seeds) {
    const random = createTruthRandom(seed);
    const nodes = 1 + random.int(3);
    // With two nodes, it is unknown which one lies, so both must agree. A single node is trusted.
    const liar = nodes > 1 && random.chance(0.5) ? random.int(nodes) : null;
    const lagging = random.chance(0.5) ? random.int(nodes) : null;
    let slot = 40n * SLOTS_IN_EPOCH + BigInt(random.int(2_000));
    let lastVoteSlot = slot;
    let earned = [38n, 39n, 40n];
    let bps = 500;
    let silentRounds = 0;
    let heldRounds = 9;
    const past: Truth[] = [];
    const changes: string[] = [];
    const outages: { from: number; to: number }[] = [];
    const reported: { round: number; alert: ValidatorAlert }[] = [];
    let watch = new ValidatorWatch(null);
    for (let round = 0; round < ROUNDS; round += 1) {
      slot += BigInt(40 + random.int(120));
      const isBegun = round > 8;
      if (silentRounds > 0) silentRounds -= 1;
      else if (isBegun && random.chance(0.05)) {
        silentRounds = 2 + random.int(14);
        outages.push({ from: round, to: round + silentRounds });
      }
      if (silentRounds === 0) {
        lastVoteSlot = slot - BigInt(random.int(40));
        const epoch = slot / SLOTS_IN_EPOCH;
        if (earned.at(-1) !== epoch) earned = [...earned, epoch];
      }
      heldRounds += 1;
      // A commission changed back between two polls would be missed, so each commission lasts for several
      // rounds.
      if (isBegun && heldRounds > 8 && round < ROUNDS - 9 && random.chance(0.15)) {
        const next = random.int(10_001);
        if (next !== bps) changes.push(`${bps} ${next}`);
        bps = next;
        heldRounds = 0;
      }
      const truth = { slot, lastVoteSlot, earnedEpochs: earned, terms: { inflationCommissionBps: `${bps}` } };
      past.push(truth);
      for (let node = 0; node < nodes; node += 1) {
        const behind = node === lagging ? random.int(4) : 0;
        const honest = past[Math.max(0, past.length - 1 - behind)]!;
        const lie = {
          ...honest,
          lastVoteSlot: honest.slot - 1_000n,
          terms: { inflationCommissionBps: `${random.pick([0, 10_000])}` },
        };
        const seen = lookOf(node, nodes, node === liar && isBegun && random.chance(0.7) ? lie : honest);
        const before = watch.state;
        for (const alert of watch.take(seen)) reported.push({ round, alert });
        // A repeated response does not count as a second poll.
        if (random.chance(0.3)) assert.deepEqual(watch.take(seen), []);
        // Simulates a process that ended between two polls and resumes from its stored state.
        if (before !== watch.state || random.chance(0.02))
          watch = random.chance(0.2) ? new ValidatorWatch(watch.state) : watch;
      }
    }
    const story = `HOLDFAST_TEST_SEED=${seed}: ${nodes} nodes, liar ${liar}, lagging ${lagging}\n${JSON.stringify(reported)}`;
    const commissions = reported.filter(({ alert }) => alert.what === 'inflationCommissionBps');
    const isUndecided = liar !== null && nodes === 2;
    if (!isUndecided)
      assert.deepEqual(
        commissions.map(({ alert }) => `${alert.from} ${alert.to}`),
        changes,
        story,
      );
    else for (const { alert } of commissions) assert.equal(alert.seenByNodes, 2, story);
    for (const { round } of reported.filter((one) => one.alert.change === 'delinquent'))
      assert.ok(
        outages.some(({ from, to }) => round >= from && round <= to + 4),
        `false delinquency in round ${round}\n${story}`,
      );
    assert.deepEqual(
      reported.map(({ alert }) => alert.number),
      reported.map((_, i) => i),
      story,
    );
    for (const { alert } of reported) counts.set(alert.change, (counts.get(alert.change) ?? 0) + 1);
  }
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const change of ['delinquent', 'recovered', 'commission', 'absent'])
    assert.ok((counts.get(change) ?? 0) > HISTORIES / 10, `${change}: ${counts.get(change)}`);
  if (HISTORIES > 1_000) console.log(Object.fromEntries(counts));
});

test('WATCH-2: a change in the first or last 2 % of an epoch is marked as near the epoch boundary', () => {
  for (const [index, isNear] of [
    [15n, true],
    [16n, false],
    [783n, false],
    [784n, true],
  ] as const) {
    const watch = new ValidatorWatch(null);
    const look = (at: bigint, bps: string) => {
      const slot = 40n * SLOTS_IN_EPOCH + at;
      const truth = {
        slot,
        lastVoteSlot: slot,
        earnedEpochs: [39n, 40n],
        terms: { inflationCommissionBps: bps },
      };
      return watch.take(lookOf(0, 1, truth));
    };
    for (const at of [1n, 2n]) assert.deepEqual(look(at, '0'), []);
    assert.deepEqual(look(index - 1n, '500'), []);
    assert.deepEqual(
      look(index, '500').map(({ nearBoundary, level }) => [nearBoundary, level]),
      [[isNear, isNear ? 'critical' : 'warning']],
    );
  }
});
