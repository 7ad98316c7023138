// The notices of a response, colored by severity. The service sorts them, most severe first.
import type { Notice as NoticeData } from '../../../client/generated/shared-types.ts';
import { useUnsaid } from '../state/alert-above.ts';
import { noticeText } from '../text/notice-text.ts';
import { Notice } from './notice.tsx';

const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const;

/** Returns the first critical notice, or undefined. */
export const criticalNotice = (notices: readonly NoticeData[] | undefined): NoticeData | undefined =>
  notices?.find(({ severity }) => severity === 'critical');

/** Renders every notice, including those already shown above the view, which a dialog covers. */
export const AllNotices = ({ notices }: { notices: readonly NoticeData[] }) =>
  notices.map((notice) => (
    <Notice key={notice.text} tone={TONES[notice.severity]}>
      {noticeText(notice)}
    </Notice>
  ));

/** Renders one box for each notice that is not already shown above the view. */
export const Notices = ({ notices }: { notices: readonly NoticeData[] }) => (
  <AllNotices notices={useUnsaid(notices)} />
);
