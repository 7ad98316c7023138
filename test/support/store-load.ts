// A process that writes everything that a store can contain, as fast as it can, and prints what was
// acknowledged: `store-load.ts <store> <round>`.
import { writeSync } from 'node:fs';
import { exampleIntent } from './intent-examples.ts';
import { exampleTransaction } from './store-examples.ts';
import { openStoreAt, storeOf } from './store-fixture.ts';

const [location, round] = process.argv.slice(2) as [string, string];

/** Prints immediately. A full pipe fails with EAGAIN instead of blocking, so the write is retried. */
const print = (text: string): void => {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
};

const startedAtMs = performance.now();
const store = storeOf(await openStoreAt(location));
print(`opened in ${(performance.now() - startedAtMs).toFixed(1)} ms\n`);

// Counted and printed synchronously, so a write is printed after its acknowledgement and before a kill.
let acknowledged = 0;
const acknowledge = (what: string): void => {
  acknowledged += 1;
  print(`${what}\n#${acknowledged}\n`);
};

/** Records and settles intents in sequence, with keys that contain `lane`. */
const intents = async (lane: number): Promise<never> => {
  for (let number = 0; ; number += 1) {
    const name = `${round}-${lane}-${number}`;
    await store.intents.recordSigned(exampleIntent(name, { key: name }), null);
    acknowledge(`recorded ${name}`);
    await store.intents.settle(name, {
      state: 'confirmed',
      slot: 7n,
      error: null,
      response: `{"of":"${name}"}`,
    });
    acknowledge(`settled ${name}`);
  }
};

const transactions = async (): Promise<never> => {
  for (let number = 0; ; number += 3) {
    const first = Number(round) * 1_000_000 + number;
    await store.transactions.record([first, first + 1, first + 2].map((each) => exampleTransaction(each)));
    acknowledge(`landed ${first}`);
  }
};

const counters = async (): Promise<never> => {
  for (;;) {
    await store.counters.add(new Map([`GET /${round}`, 'GET /all'].map((name) => [name, 1])));
    acknowledge('counted');
  }
};

const reads = async (): Promise<never> => {
  for (;;) {
    await store.transactions.pageWalletHistory('wallet', { limit: 50 });
    await store.transactions.coverage('address');
    await store.samples.recordDelinquency({ epoch: BigInt(round), isDelinquent: false });
    acknowledge('sampled');
    await new Promise((resolve) => setImmediate(resolve));
  }
};

await Promise.all([intents(1), intents(2), intents(3), transactions(), counters(), reads()]);
