// Builds the compact response of `check_stake_accounts`: totals first, then what an agent needs to know about
// each account to choose the next call. The full response is available on request.
import { z } from 'zod';
import { solNumber } from '../domain/lamports.ts';
import { lamportsAt } from './text/response-fields.ts';

/** Number of accounts listed if `detail` is `compact` and `limit` is not given. */
const COMPACT_LIMIT = 50;

/** Arguments of this tool in addition to those of its operation. */
export const accountsViewInput = z.object({
  detail: z.enum(['compact', 'full']).default('compact').meta({
    description: '`compact`: totals, and under 250 bytes per account. `full`: every field, as over REST.',
  }),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: `Maximum accounts shown. Default: ${COMPACT_LIMIT} in compact, all in full.` }),
});

/** Fields of the compact response that the operation's response does not have. */
export const accountsViewOutput = z.object({
  accountCount: z.int(),
  shownCount: z.int(),
  byState: z.record(z.string(), z.int()),
  nextWithdrawal: z.object({ sol: z.number(), epoch: z.int(), estimatedAt: z.string() }).optional(),
  accounts: z.array(z.object({ ifUnstakedNow: z.string().optional(), actions: z.array(z.string()) })),
});

interface FullAccount {
  readonly address: string;
  readonly sol: unknown;
  readonly state: string;
  readonly role: string;
  readonly voteAccount: string | null;
  readonly withdrawableSol: unknown;
  readonly withdrawableWhen: string;
  readonly withdrawableAtEpoch: number | null;
  readonly estimatedWithdrawableAt: string | null;
  readonly ifUnstakedNow: { readonly at: string } | null;
  readonly suggestedActions: readonly { readonly action: string }[];
}

const compact = (account: FullAccount) => ({
  address: account.address,
  sol: account.sol,
  state: account.state,
  ...(account.role === 'owner' ? {} : { role: account.role }),
  withdrawableSol: account.withdrawableSol,
  withdrawableWhen: account.withdrawableWhen,
  ...(account.withdrawableAtEpoch === null ? {} : { withdrawableAtEpoch: account.withdrawableAtEpoch }),
  // Milliseconds are meaningless in an estimate.
  ...(account.ifUnstakedNow === null ? {} : { ifUnstakedNow: `${account.ifUnstakedNow.at.slice(0, 19)}Z` }),
  actions: account.suggestedActions.map(({ action }) => action),
});

/**
 * Returns the sum of the wallet's deactivating accounts that become withdrawable next; undefined if there are
 * none.
 */
const nextWithdrawal = (accounts: readonly FullAccount[]) => {
  const waiting = accounts.filter(
    ({ role, withdrawableAtEpoch }) => role === 'owner' && withdrawableAtEpoch !== null,
  );
  const epoch = Math.min(...waiting.map(({ withdrawableAtEpoch }) => withdrawableAtEpoch!));
  const next = waiting.filter(({ withdrawableAtEpoch }) => withdrawableAtEpoch === epoch);
  const [first] = next;
  if (first === undefined) return undefined;
  const lamports = next.reduce((sum, account) => sum + lamportsAt({ ...account }, 'sol'), 0n);
  return { sol: solNumber(lamports), epoch, estimatedAt: first.estimatedWithdrawableAt };
};

type Body = Readonly<Record<string, unknown>>;

/** Converts the operation's response `body` to the form requested by the arguments `given`. */
export const viewAccounts = (body: Body, given: Body): Body => {
  const { detail, limit } = given as z.output<typeof accountsViewInput>;
  const { walletAddress, totalStakedSol, delegatedSol, withdrawableSol, accounts, ...rest } = body as {
    accounts: FullAccount[];
  } & Body;
  const all = detail === 'full';
  const shown = accounts.slice(0, limit ?? (all ? accounts.length : COMPACT_LIMIT));
  if (all) return { ...body, accounts: shown };
  const byState: Record<string, number> = {};
  // As `totalStakedSol`: only the wallet's own stake with this validator.
  for (const { state, role, voteAccount } of accounts)
    if (role === 'owner' && voteAccount === rest.validatorVoteAccount)
      byState[state] = (byState[state] ?? 0) + 1;
  const next = nextWithdrawal(accounts);
  return {
    walletAddress,
    totalStakedSol,
    delegatedSol,
    withdrawableSol,
    accountCount: accounts.length,
    shownCount: shown.length,
    byState,
    ...(next === undefined ? {} : { nextWithdrawal: next }),
    accounts: shown.map(compact),
    ...rest,
  };
};
