// Imitates a runtime process whose port is taken at its first start: the process reports the error and blocks
// forever. Later starts succeed. `SURFNET_FAILED_ONCE` names a file that exists after the first start.
import { existsSync, writeFileSync, writeSync } from 'node:fs';

const marker = process.env.SURFNET_FAILED_ONCE ?? '';
if (!existsSync(marker)) {
  writeFileSync(marker, '');
  writeSync(2, 'Error: RPC port 34459 is already in use. Try --port or --ws-port to use a different port.\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
await import('../../sandbox/surfnet-child.ts');
