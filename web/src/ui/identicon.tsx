// Draws a picture derived from an address, without loading anything.

const GRID = 5;

/** A simple hash. It is not cryptographic and is used only for pictures. */
const mix = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
};

/** `size` is in CSS pixels. */
export const Identicon = ({ address, size = 40 }: { address: string; size?: number }) => {
  const hue = mix(address) % 360;
  const cells = Array.from({ length: GRID * 3 }, (_, index) => mix(`${address}/${index}`) % 2 === 0);
  return (
    <svg width={size} height={size} viewBox="0 0 7 7" aria-hidden="true" focusable="false">
      <rect width="7" height="7" rx="1.8" fill={`hsl(${hue} 45% 90%)`} />
      {cells.flatMap((filled, index) => {
        if (!filled) return [];
        const [column, row] = [Math.floor(index / GRID), index % GRID];
        return [...new Set([column, GRID - 1 - column])].map((at) => (
          <rect
            key={`${at}-${row}`}
            x={at + 1}
            y={row + 1}
            width="1.02"
            height="1.02"
            fill={`hsl(${hue} 55% 32%)`}
          />
        ));
      })}
    </svg>
  );
};
