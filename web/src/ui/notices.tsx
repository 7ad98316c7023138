// The notices of an answer, coloured by severity: the service puts the most severe first.
import type { Notice as NoticeData } from '../../../client/generated/shared-types.ts';
import { Notice } from './notice.tsx';

const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const;

/** The first critical notice; undefined without any. */
export const criticalNotice = (notices: readonly NoticeData[] | undefined): NoticeData | undefined =>
  notices?.find(({ severity }) => severity === 'critical');

/** One box for each notice. */
export const Notices = ({ notices }: { notices: readonly NoticeData[] }) =>
  notices.map(({ severity, text }) => (
    <Notice key={text} tone={TONES[severity]}>
      {text}
    </Notice>
  ));
