// Keeps reports that the store could not take in a file of the data folder, so that a restart during an outage of the store repeats none and loses none.
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { AlarmMemory, RememberedAlarms } from '../../events/operator/alarm-watch.ts';

/** The file has this size from the first start on, because a full disk still accepts overwriting. */
const BYTES = 32_768;

/** Opens the file at `path`. A file of another cluster counts as empty. A file that cannot be written costs only the memory across restarts. */
export const openAlarmMemory = (path: string, genesisHash: string): AlarmMemory => {
  const write = (value: RememberedAlarms | null): void => {
    const bytes = Buffer.alloc(BYTES, ' ');
    bytes.write(value === null ? '' : JSON.stringify({ genesisHash, ...value }));
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(file, bytes, 0, BYTES, 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  };
  const read = (): RememberedAlarms | null => {
    try {
      const stored = JSON.parse(readFileSync(path, 'utf8')) as RememberedAlarms & { genesisHash: string };
      return stored.genesisHash === genesisHash ? stored : null;
    } catch {
      return null;
    }
  };
  const remembered = read();
  const attempt = (value: RememberedAlarms | null): boolean => {
    try {
      write(value);
      return true;
    } catch {
      return false;
    }
  };
  if (remembered === null) attempt(null);
  return { remembered, write: attempt };
};
