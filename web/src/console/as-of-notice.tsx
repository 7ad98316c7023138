// Notices that figures are not current, because the network or the store cannot be reached.
import { runbookPath } from '../../../src/domain/alerts/service-alarm-table.ts';
import { durationText, timeText } from '../text/format-figures.ts';
import { Notice } from '../ui/notice.tsx';

/** Renders nothing if `asOf`, the time of the figures, is null. */
export const AsOfNotice = ({ asOf }: { asOf: string | null | undefined }) =>
  asOf != null && (
    <Notice tone="warn">
      As of {timeText(asOf)}, {durationText((Date.now() - Date.parse(asOf)) / 1_000)} ago. These are the last
      known figures, until the chain can be read again.
    </Notice>
  );

/**
 * Says that the store is unavailable, what still works, and what happens next. Renders nothing if `asOf`, the
 * time of the last known records, is null.
 */
export const RecordsNotice = ({ asOf }: { asOf: string | null | undefined }) =>
  asOf != null && (
    <Notice tone="warn" title="The store does not respond">
      The records shown here are as of {timeText(asOf)},{' '}
      {durationText((Date.now() - Date.parse(asOf)) / 1_000)} ago. Nothing is lost: stakes are on the chain,
      and what the service acknowledged is in the store. Until the store responds, stakers can view their
      stakes, but nothing can be submitted, and webhooks and alerts wait; alarms still reach you. The service
      continues by itself, without a restart. <a href={runbookPath('store_unwritable')}>What to do</a>
    </Notice>
  );
