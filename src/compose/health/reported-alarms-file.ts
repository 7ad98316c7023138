// Stores the reported alarms in a file of the data folder while the store is unavailable, so a restart neither
// repeats nor loses a report.
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { AlarmMemory, RememberedAlarms } from '../../events/operator/alarm-watch.ts';

/** Size of the file in bytes, reserved at the first startup, because overwriting works even on a full disk. */
const BYTES = 32_768;

/**
 * Opens the file at `path`. A file from another cluster counts as empty. If the file cannot be written, a
 * restart forgets the reports.
 */
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
