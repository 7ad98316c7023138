// A process that records intents as fast as it can and says how many it acknowledged: `intent-recorder.ts <store> <name> <count>`.
import { writeSync } from 'node:fs';
import { openSqliteIntentLog } from '../../src/store/sqlite-intent-log.ts';
import { exampleIntent } from './intent-examples.ts';

const [path, name, count] = process.argv.slice(2) as [string, string, string];
const log = openSqliteIntentLog(path);
let won = 0;
for (let index = 0; index < Number(count); index += 1) {
  if (log.recordSigned(exampleIntent(`${name} ${index}`, { key: `key ${index}` }), null)) won += 1;
  // Synchronous, so that what was printed was printed after the acknowledgement and before a kill.
  if (index % 100 === 99) writeSync(1, `recorded ${index + 1}\n`);
}
writeSync(1, `won ${won}\n`);
log.close();
