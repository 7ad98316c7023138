// English texts of the share dialog.

export const shareEnglish = {
  title: 'Share this page',
  amount: 'Amount in the link (SOL)',
  none: 'none',
  amountHint:
    'Pre-fills the amount. People who open the link can still change it, and they review and sign themselves.',
  amountProblem: 'Enter a number such as 5 or 2.5.',
  qrCode: 'QR code of {link}',
  link: 'Link',
  linkToCopy: 'link',
  text: 'Text',
  textToCopy: 'text',
  button: 'Button for your site',
  buttonText: 'An image with a link: no script, no iframe.',
  buttonLines: 'button code',
  invitation: 'Stake SOL with {name}. You stay in control, with no derivative token. {link}',
} as const;
