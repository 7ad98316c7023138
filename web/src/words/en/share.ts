// English texts of the share dialog.

export const shareEnglish = {
  title: 'Share this page',
  amount: 'Amount in the link, SOL',
  none: 'none',
  amountHint: 'Fills in the amount. People who follow the link still choose, review and sign themselves.',
  amountProblem: 'Write a number such as 5 or 2.5.',
  qrCode: 'QR code of {link}',
  link: 'Link',
  linkToCopy: 'link',
  text: 'Text',
  textToCopy: 'text',
  button: 'Button for your site',
  buttonText: 'A picture with a link: no script, no frame.',
  buttonLines: 'lines of the button',
  invitation: 'Stake SOL with {name}. Your wallet keeps control, no derivative token. {link}',
} as const;
