// A sandbox's process whose main thread blocks forever, as inside a native call that never returns; its
// watchdog runs.
import { startWatchdog } from '../../sandbox/watchdog.ts';

const watchdog = startWatchdog(1_000);
let beats = 0;
const timer = setInterval(() => {
  watchdog.beat();
  beats += 1;
  if (beats < 20) return;
  clearInterval(timer);
  console.log('stuck');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}, 100);
