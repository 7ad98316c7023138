// English texts of the wallet list and of the connected wallet's menu.

export const walletDialogsEnglish = {
  yourWallet: 'Your wallet',
  walletAddress: 'wallet address',
  changeWallet: 'Change wallet',
  disconnect: 'Disconnect',
  inWallet: 'In the wallet',
  freeToStake: 'Available to stake',
  connectAWallet: 'Connect a wallet',
  localWallet: 'For the sandbox only. The key stays in this browser.',
  waiting: 'Waiting for the wallet…',
  detected: 'Detected',
  openOnPhone: 'On a phone, your wallet is an app. Open this page in the app and connect there.',
  openIn: 'Open in {name}',
  inAppBrowser: 'Opens this page in the app’s browser',
  noWallet: 'No wallet found',
  installWallet:
    'Install a Solana wallet such as Phantom, Solflare or Backpack. It then appears here automatically.',
  connectPromise:
    'Connecting shares only your address. Every transaction is checked here before your wallet is asked to sign.',
} as const;
