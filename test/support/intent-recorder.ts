// A process that records intents as fast as it can and prints how many were acknowledged: `intent-recorder.ts
// <store> <name> <count>`.
import { writeSync } from 'node:fs';
import { exampleIntent } from './intent-examples.ts';
import { openStoreAt, storeOf } from './store-fixture.ts';

const [location, name, count] = process.argv.slice(2) as [string, string, string];
const store = storeOf(await openStoreAt(location));
let won = 0;
for (let index = 0; index < Number(count); index += 1) {
  const intent = exampleIntent(`${name} ${index}`, { key: `key ${index}` });
  if (await store.intents.recordSigned(intent, null)) won += 1;
  // Written synchronously, so the output appears after the acknowledgement and before a kill.
  if (index % 100 === 99) writeSync(1, `recorded ${index + 1}\n`);
}
writeSync(1, `won ${won}\n`);
await store.close();
