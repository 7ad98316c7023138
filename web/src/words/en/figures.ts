// English texts around figures, and about typed amounts.

export const figuresEnglish = {
  percent: '{value}%',
  atLeast: 'at least {yield}',
  yieldUnknown: 'not known',
  eitherAmount: '{small} or {large} SOL?',
  tooManyDecimals: 'SOL has 9 decimals. The smallest amount is 0.000000001.',
  invalidAmount: 'Enter a valid amount.',
} as const;
