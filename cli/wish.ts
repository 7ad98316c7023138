// What a wallet's owner wants done, in the terms of the interface.

/** What is wanted; amounts are decimal text, exact. */
export type Wish =
  | { readonly kind: 'stake'; readonly walletAddress: string; readonly amountSol: string }
  | { readonly kind: 'unstake'; readonly walletAddress: string; readonly stakeAccountAddress: string }
  | {
      readonly kind: 'withdraw';
      readonly walletAddress: string;
      readonly stakeAccountAddress: string;
      /** Absent: everything, which closes the account. */
      readonly amountSol?: string | undefined;
    };
