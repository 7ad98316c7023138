// English texts around figures, and about typed amounts.

export const figuresEnglish = {
  epoch: 'epoch {epoch}',
  epochs: 'epochs {from} to {to}',
  d: '{amount} d',
  h: '{amount} h',
  min: '{amount} min',
  s: '{amount} s',
  atTime: '{time}',
  onDate: '{time}',
  percent: '{value}%',
  atLeast: 'at least {yield}',
  yieldUnknown: 'not known',
  noYield: 'None',
  yieldWithTips: 'including tips of {tips}',
  yieldWithoutTips: 'excluding tips',
  eitherAmount: 'Did you mean {small} or {large} SOL?',
  tooManyDecimals: 'SOL has up to 9 decimals. The smallest amount is 0.000000001.',
  invalidAmount: 'Enter a valid amount.',
} as const;
