// English texts of charts.

export const chartEnglish = {
  notKnown: 'not known',
} as const;
