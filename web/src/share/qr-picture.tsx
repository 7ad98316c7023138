// A QR code as one path, dark on white in both themes: readers want it so.
import { qrCode } from './qr-code.ts';

/** Light modules around it, as the standard asks. */
const QUIET = 4;

/** `what` says where it leads. Nothing where the text is too long for one. */
export const QrPicture = ({ text, what }: { text: string; what: string }) => {
  const rows = qrCode(text);
  if (rows === null) return null;
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
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
