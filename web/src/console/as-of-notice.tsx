// A notice that the figures are not current, because the network cannot be reached.
import { durationText, timeText } from '../text/format-figures.ts';
import { Notice } from '../ui/notice.tsx';

/** Renders nothing if `asOf`, the time of the figures, is null. */
export const AsOfNotice = ({ asOf }: { asOf: string | null | undefined }) =>
  asOf != null && (
    <Notice tone="warn">
      As of {timeText(asOf)}, {durationText((Date.now() - Date.parse(asOf)) / 1_000)} ago. No RPC node
      responds in time, so these are the last known figures.
    </Notice>
  );
