// Shows the notices of a response, most severe first.
import type { Notice } from '../../client/generated/shared-types.ts';
import { plain } from './plain-text.ts';
import type { Paint, Tone } from './terminal-colors.ts';

const TONES: Readonly<Record<Notice['severity'], Tone>> = { critical: 'red', warning: 'yellow', info: 'dim' };

export const noticeLines = (notices: readonly Notice[], paint: Paint): string[] =>
  notices.map(({ severity, text }) => `${paint(TONES[severity] ?? 'yellow', '!')} ${plain(text)}`);
