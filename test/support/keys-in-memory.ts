// Reads another process's writable memory and counts the occurrences of the given byte strings (Linux only).
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4096;
const MAX_NEEDLE_BYTES = 128;
const ZERO_PAGE = Buffer.alloc(PAGE_BYTES);

/** Returns the writable mappings of a process, as [start, end). */
const writableRanges = (pid: number): [bigint, bigint][] =>
  readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line): [bigint, bigint][] => {
      const match = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line);
      return match && !/\[(vvar|vsyscall)/.test(line)
        ? [[BigInt(`0x${match[1]}`), BigInt(`0x${match[2]}`)]]
        : [];
    });

/**
 * Finds needles of at least 4 bytes by their first four bytes. Two table look-ups per position keep a scan
 * under a second.
 */
class NeedleFinder {
  readonly counts: number[];
  readonly #needles: readonly Buffer[];
  readonly #starts = new Uint8Array(65_536);
  readonly #byPrefix = new Map<number, number[]>();

  constructor(needles: readonly Buffer[]) {
    this.#needles = needles;
    this.counts = needles.map(() => 0);
    needles.forEach((needle, index) => {
      this.#starts[needle.readUInt16LE(0)] = 1;
      const prefix = needle.readUInt32LE(0);
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), index]);
    });
  }

  /** Counts needles that start in `bytes[0, starts)`. */
  scan(bytes: Buffer, starts: number): void {
    for (let page = 0; page < starts; page += PAGE_BYTES) {
      const end = Math.min(page + PAGE_BYTES, starts);
      if (end - page === PAGE_BYTES && ZERO_PAGE.compare(bytes, page, end) === 0) continue;
      for (let at = page; at < end; at += 1) {
        if (this.#starts[bytes[at]! | (bytes[at + 1]! << 8)] === 1) this.#match(bytes, at);
      }
    }
  }

  #match(bytes: Buffer, at: number): void {
    if (at + 4 > bytes.length) return;
    for (const index of this.#byPrefix.get(bytes.readUInt32LE(at)) ?? []) {
      const needle = this.#needles[index]!;
      if (at + needle.length <= bytes.length && needle.compare(bytes, at, at + needle.length) === 0)
        this.counts[index]! += 1;
    }
  }
}

/**
 * Counts the occurrences of each needle in the writable memory of `pid`, which should be idle during the scan.
 */
export const countInMemory = (pid: number, needles: readonly Buffer[]): readonly number[] => {
  const finder = new NeedleFinder(needles);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES + MAX_NEEDLE_BYTES);
  try {
    for (const [start, end] of writableRanges(pid)) {
      for (let at = start; at < end; at += BigInt(CHUNK_BYTES)) {
        const wanted = Number(end - at < BigInt(buffer.length) ? end - at : BigInt(buffer.length));
        const read = readChunk(memory, buffer, wanted, at);
        finder.scan(buffer.subarray(0, read), Math.min(read, CHUNK_BYTES));
      }
    }
  } finally {
    closeSync(memory);
  }
  return finder.counts;
};

const readChunk = (memory: number, buffer: Buffer, wanted: number, at: bigint): number => {
  try {
    return readSync(memory, buffer, 0, wanted, at);
  } catch {
    // A mapping that has disappeared, or that the kernel does not expose, contains none of the service's data.
    return 0;
  }
};
