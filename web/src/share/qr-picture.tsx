// Draws a QR code as one path, dark on white in both themes, because scanners need that contrast.
import { encode } from 'uqr';

/** Maximum length of a link in bytes: that of a version 10 code, which a phone can still read from a screen. */
const MAX_BYTES = 213;

/** `what` describes the code's target. Renders nothing if the text is too long for a readable code. */
export const QrPicture = ({ text, what }: { text: string; what: string }) => {
  if (new TextEncoder().encode(text).length > MAX_BYTES) return null;
  // The QR code standard requires a margin of four light modules.
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width="176"
      height="176"
      shapeRendering="crispEdges"
      role="img"
      aria-label={what}
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path.join('')} />
    </svg>
  );
};
