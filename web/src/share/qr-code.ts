// Makes a QR code of a text (ISO/IEC 18004: byte mode, error correction level M, versions 1 to 10, so up to 213 bytes).

// By version, from 1 on.
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346] as const;
const CHECKS_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26] as const;
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5] as const;
const ALIGNED_AT: readonly (readonly number[])[] = [
  ...[[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34]],
  ...[
    [6, 22, 38],
    [6, 24, 42],
    [6, 26, 46],
    [6, 28, 50],
  ],
];

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Multiplication in the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. */
const multiply = (a: number, b: number): number => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
};

/** The remainder of the data by the generator with the roots 2⁰, 2¹, …: Reed-Solomon's check bytes. */
const checksOf = (data: readonly number[], count: number): number[] => {
  const generator = new Array<number>(count).fill(0);
  generator[count - 1] = 1;
  for (let index = 0, root = 1; index < count; index += 1, root = multiply(root, 2))
    for (let at = 0; at < count; at += 1)
      generator[at] = multiply(generator[at]!, root) ^ (generator[at + 1] ?? 0);
  const remainder = new Array<number>(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ remainder.shift()!;
    remainder.push(0);
    generator.forEach((coefficient, at) => {
      remainder[at]! ^= multiply(coefficient, factor);
    });
  }
  return remainder;
};

/** `value` with the remainder by `generator` behind it, as version and format are written. */
const withRemainder = (value: number, generator: number, bits: number): number => {
  let remainder = value << bits;
  for (let at = 31; at >= bits; at -= 1) if ((remainder >>> at) & 1) remainder ^= generator << (at - bits);
  return (value << bits) | remainder;
};

const dataOf = (bytes: Uint8Array, version: number, capacity: number): number[] => {
  const length = bytes.length;
  const lengthBytes = version < 10 ? [length] : [length >> 8, length & 255];
  // Mode 4, the length, the text and the end stand four bits off the byte.
  const nibbles = [4, ...[...lengthBytes, ...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from(
    { length: nibbles.length / 2 },
    (_, at) => nibbles[2 * at]! * 16 + nibbles[2 * at + 1]!,
  );
  return [
    ...data,
    ...Array.from({ length: capacity - data.length }, (_, at) => (at % 2 === 0 ? 0xec : 0x11)),
  ];
};

/** Data in blocks with their check bytes, column by column. */
const codewordsOf = (bytes: Uint8Array, version: number): number[] => {
  const [total, checks, count] = [CODEWORDS, CHECKS_PER_BLOCK, BLOCKS].map(
    (table) => table[version - 1]!,
  ) as [number, number, number];
  const capacity = total - checks * count;
  const data = dataOf(bytes, version, capacity);
  const short = Math.floor(capacity / count);
  const longFrom = count - (capacity % count);
  let from = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const part = data.slice(from, from + short + (block >= longFrom ? 1 : 0));
    from += part.length;
    return part;
  });
  const columns = (rows: readonly (readonly number[])[]): number[] =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) =>
      rows.flatMap((row) => (at < row.length ? [row[at]!] : [])),
    ).flat();
  return [...columns(blocks), ...columns(blocks.map((block) => checksOf(block, checks)))];
};

type Grid = (boolean | undefined)[][];

/** Everything but data, format and version; what is `undefined` is free. */
const patternsOf = (version: number): Grid => {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | undefined>(size).fill(undefined));
  const square = (
    row: number,
    column: number,
    radius: number,
    isDark: (distance: number) => boolean,
  ): void => {
    for (let y = -radius; y <= radius; y += 1)
      for (let x = -radius; x <= radius; x += 1)
        if (grid[row + y] !== undefined && column + x >= 0 && column + x < size)
          grid[row + y]![column + x] = isDark(Math.max(Math.abs(x), Math.abs(y)));
  };
  for (let at = 0; at < size; at += 1) {
    grid[6]![at] = at % 2 === 0;
    grid[at]![6] = at % 2 === 0;
  }
  const aligned = ALIGNED_AT[version - 1]!;
  const last = aligned.at(-1);
  for (const row of aligned)
    for (const column of aligned)
      if (!(row === 6 && (column === 6 || column === last)) && !(row === last && column === 6))
        square(row, column, 2, (distance) => distance !== 1);
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (distance) => distance !== 2 && distance !== 4);
  return grid;
};

/** Writes version (from 7 on) and format; also marks their places as taken before data is placed. */
const writeInformation = (grid: Grid, version: number, mask: number): void => {
  const size = grid.length;
  // Level M is 00.
  const format = withRemainder(mask, 0x537, 10) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((format >>> bit) & 1) === 1;
    const along = bit < 6 ? bit : bit < 8 ? bit + 1 : 0;
    if (bit < 8) grid[along]![8] = isDark;
    else grid[8]![bit === 8 ? 7 : 14 - bit] = isDark;
    if (bit < 8) grid[8]![size - 1 - bit] = isDark;
    else grid[size - 15 + bit]![8] = isDark;
  }
  grid[size - 8]![8] = true;
  if (version < 7) return;
  const information = withRemainder(version, 0x1f25, 12);
  for (let bit = 0; bit < 18; bit += 1) {
    const isDark = ((information >>> bit) & 1) === 1;
    const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    grid[near]![far] = isDark;
    grid[far]![near] = isDark;
  }
};

/** The free modules in the order of the data: pairs of columns from the right, up and down in turn. */
const freeModules = (grid: Grid): (readonly [number, number])[] => {
  const size = grid.length;
  const order: (readonly [number, number])[] = [];
  for (let right = size - 1, upward = true; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const row = upward ? size - 1 - step : step;
      for (const column of [right, right - 1])
        if (grid[row]![column] === undefined) order.push([row, column]);
    }
  }
  return order;
};

/** What readers find hard: long runs and blocks of one colour. */
const penaltyOf = (grid: readonly (readonly boolean[])[]): number => {
  let penalty = 0;
  const size = grid.length;
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      const same = (y: number, x: number): boolean => grid[row + y]?.[column + x] === grid[row]![column];
      if (same(0, 1) && same(1, 0) && same(1, 1)) penalty += 3;
      for (const [y, x] of [
        [0, 1],
        [1, 0],
      ] as const)
        if ([1, 2, 3, 4].every((far) => same(y * far, x * far))) penalty += same(-y, -x) ? 1 : 3;
    }
  return penalty;
};

/** Rows of modules, true where dark, without the quiet margin of four; null for a text of more than 213 bytes. */
export const qrCode = (text: string): readonly (readonly boolean[])[] | null => {
  const bytes = new TextEncoder().encode(text);
  const version =
    1 +
    CODEWORDS.findIndex(
      (total, at) => bytes.length + (at < 9 ? 2 : 3) <= total - CHECKS_PER_BLOCK[at]! * BLOCKS[at]!,
    );
  if (version === 0) return null;
  const bits = codewordsOf(bytes, version).flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => ((byte >>> (7 - bit)) & 1) === 1),
  );
  const grids = MASKS.map((isTurned, mask) => {
    const grid = patternsOf(version);
    writeInformation(grid, version, mask);
    freeModules(grid).forEach(([row, column], at) => {
      grid[row]![column] = (bits[at] ?? false) !== isTurned(row, column);
    });
    return grid as boolean[][];
  });
  return grids.reduce((best, grid) => (penaltyOf(grid) < penaltyOf(best) ? grid : best));
};
