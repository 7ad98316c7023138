// Lists what a stake owner needs to unstake without any service: each account, its authorities, and the
// commands of Solana's own tools.

/** Account fields that a sheet shows. Responses of the service contain all of them. */
export interface SheetAccount {
  readonly address: string;
  readonly sol: number;
  readonly state: string;
  readonly stakeAuthority: string;
  readonly withdrawAuthority: string;
  readonly voteAccount: string | null;
  readonly lockup: {
    readonly custodian: string;
    readonly unixTimestamp: number;
    readonly epoch: number;
  } | null;
}

export interface SheetEntry {
  readonly address: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly commands: readonly string[];
}

/** Text at the top of a sheet. */
export const SHEET_WORDS =
  "This is native stake: the accounts are on chain, controlled by your keys, and need no service. Any wallet that supports native staking can unstake and withdraw them. So can the commands below; replace KEYPAIR with the authority's keypair file. You can withdraw unstaked SOL once it is inactive, usually when the epoch ends.";

/** The commands that unstake and withdraw the account with Solana's own tools, in the order in which a user runs them. */
export const sheetCommands = (
  { address, state }: Pick<SheetAccount, 'address' | 'state'>,
  walletAddress: string,
): readonly string[] => [
  ...(state === 'active' || state === 'activating'
    ? [`solana deactivate-stake ${address} --stake-authority KEYPAIR`]
    : []),
  `solana stake-account ${address}`,
  `solana withdraw-stake ${address} ${walletAddress} ALL --withdraw-authority KEYPAIR`,
];

/** Latest time that a `Date` can represent. Lockups that end later are shown with this time. */
const LAST_DATE_SECONDS = 8_640_000_000_000;

const lockupText = ({ lockup }: SheetAccount): string =>
  lockup === null
    ? 'none'
    : `until epoch ${lockup.epoch} and ${new Date(Math.min(lockup.unixTimestamp, LAST_DATE_SECONDS) * 1_000).toISOString()}, unless ${lockup.custodian} signs too`;

/** Creates the entries for the accounts of `walletAddress`, in the given order. */
export const stakeSheet = (walletAddress: string, accounts: readonly SheetAccount[]): readonly SheetEntry[] =>
  accounts.map((account) => {
    const { address, sol, state, stakeAuthority, withdrawAuthority, voteAccount } = account;
    const whose = (authority: string): string =>
      authority === walletAddress ? `${authority} (this wallet)` : `${authority} (not this wallet)`;
    return {
      address,
      facts: [
        ['holds', `${sol} SOL, ${state}`],
        ['validator', voteAccount ?? 'none'],
        ['may unstake', whose(stakeAuthority)],
        ['may withdraw', whose(withdrawAuthority)],
        ['lockup', lockupText(account)],
      ],
      commands: sheetCommands(account, walletAddress),
    };
  });
