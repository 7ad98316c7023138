// Fixed-size records found by a 32-byte key, packed into pages: no object per record, no copy of all of them when they grow.

/** Records in a page: small enough that the last, partly empty page is nothing, large enough that pages are few. */
const PAGE_BITS = 12;
const PAGE_RECORDS = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_RECORDS - 1;
const KEY_WORDS = 8;
const KEY_BYTES = 32;
const FIRST_CAPACITY = 1024;
/** The hash table doubles above this many percent: linear probing stays at about 2.5 looks. */
const FULL_PERCENT = 70;

/** The memory of `PAGE_RECORDS` records, seen as what is stored in it. Multi-byte numbers are little-endian through `view` only. */
export interface Page {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly view: DataView;
}

/**
 * A set of records whose first 8 words are their key. Records are numbered from 0 in the order of their addition and never removed. The hash
 * is seeded per table, so that nobody can prepare keys that collide.
 */
export class KeyTable {
  readonly #recordWords: number;
  readonly #pages: Page[] = [];
  readonly #seed: Uint32Array;
  readonly #keyBytes = new Uint8Array(KEY_BYTES);
  readonly #key = new Uint32Array(this.#keyBytes.buffer);
  #slots = new Uint32Array(FIRST_CAPACITY);
  #indexed = 0;
  #size = 0;

  /** `recordBytes` is a multiple of 4, at least 32. */
  constructor(recordBytes: number) {
    this.#recordWords = recordBytes / 4;
    this.#seed = crypto.getRandomValues(new Uint32Array(2));
  }

  /** How many records there are. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of memory held. */
  get memoryBytes(): number {
    return this.#pages.length * PAGE_RECORDS * this.#recordWords * 4 + this.#slots.byteLength;
  }

  /** The page of a record. */
  page(id: number): Page {
    return this.#pages[id >>> PAGE_BITS]!;
  }

  /** Where a record starts in its page, in words; times 4 in bytes. */
  start(id: number): number {
    return (id & PAGE_MASK) * this.#recordWords;
  }

  /** The record of the 32 bytes at `offset`, or -1. */
  find(key: Uint8Array, offset = 0): number {
    this.#load(key, offset);
    return this.#slots[this.#probe()]! - 1;
  }

  /** The record of the key, added (zeros after the key) where there is none. */
  findOrAdd(key: Uint8Array, offset = 0): number {
    this.#load(key, offset);
    const at = this.#probe();
    const found = this.#slots[at]! - 1;
    if (found >= 0) return found;
    const id = this.#append();
    this.#slots[at] = id + 1;
    this.#indexed += 1;
    if (this.#indexed * 100 > this.#slots.length * FULL_PERCENT) this.#grow();
    return id;
  }

  /** Adds a record that `find` does not find: a second one of a key. */
  addHidden(key: Uint8Array, offset = 0): number {
    this.#load(key, offset);
    return this.#append();
  }

  #load(key: Uint8Array, offset: number): void {
    for (let i = 0; i < KEY_BYTES; i += 1) this.#keyBytes[i] = key[offset + i]!;
  }

  /** Where the loaded key is in the hash table, or the free place where it belongs. */
  #probe(): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#hash(this.#key, 0) & mask;
    for (let held = slots[at]!; held !== 0 && !this.#isLoadedKey(held - 1); held = slots[at]!)
      at = (at + 1) & mask;
    return at;
  }

  #isLoadedKey(id: number): boolean {
    const { words } = this.page(id);
    const start = this.start(id);
    for (let i = 0; i < KEY_WORDS; i += 1) if (words[start + i] !== this.#key[i]) return false;
    return true;
  }

  #hash(words: Uint32Array, start: number): number {
    let hash = this.#seed[0]!;
    for (let i = 0; i < KEY_WORDS; i += 1) {
      hash = Math.imul(hash ^ words[start + i]!, 0x9e37_79b1);
      hash = ((hash << 13) | (hash >>> 19)) ^ this.#seed[1]!;
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #append(): number {
    const id = this.#size;
    if ((id & PAGE_MASK) === 0) {
      const buffer = new ArrayBuffer(PAGE_RECORDS * this.#recordWords * 4);
      this.#pages.push({
        bytes: new Uint8Array(buffer),
        words: new Uint32Array(buffer),
        view: new DataView(buffer),
      });
    }
    this.#size += 1;
    this.page(id).words.set(this.#key, this.start(id));
    return id;
  }

  /** Every place of the old hash table that holds something moves; hidden records hold none. */
  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(old.length * 2);
    const mask = slots.length - 1;
    for (const held of old) {
      if (held === 0) continue;
      let at = this.#hash(this.page(held - 1).words, this.start(held - 1)) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = held;
    }
    this.#slots = slots;
  }
}
