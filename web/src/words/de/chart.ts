// German texts of charts.
import type { Translation } from '../define-words.ts';
import type { chartEnglish } from '../en/chart.ts';

export const chartGerman: Translation<typeof chartEnglish> = {
  notKnown: 'unbekannt',
};
