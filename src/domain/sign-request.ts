// A stake change that a person reviews and signs on the service's page. Encodes and decodes the content of a
// sign link.
import { ADDRESS_PATTERN } from '../kernel/base58.ts';
import { type GoalName, goalNames } from './plan/plan-goals.ts';

const KINDS = ['stake', 'unstake', 'withdraw', 'restake', 'rearrange'] as const;
const ROUNDINGS = ['exact', 'atLeast'] as const;
const DESTINATIONS = ['wallet', 'stake', 'activating'] as const;

export interface SignRequest {
  readonly kind: (typeof KINDS)[number];
  readonly walletAddress: string;
  readonly amountLamports?: bigint | undefined;
  readonly stakeAccountAddress?: string | undefined;
  /** Only for `rearrange`. */
  readonly change?: {
    readonly goal: GoalName;
    readonly rounding?: (typeof ROUNDINGS)[number] | undefined;
    readonly to?: (typeof DESTINATIONS)[number] | undefined;
    readonly accounts?: readonly string[] | undefined;
  };
}

/** A request together with the other content of its link. */
export interface SignLink extends SignRequest {
  readonly idempotencyKey: string;
  /** Identifies the service that created the link, by the genesis hash of its cluster and its validator. */
  readonly genesisHash: string;
  readonly voteAccount: string;
  /** Unix seconds. */
  readonly expiresAtSeconds: number;
}

/** Lifetime of a link, in seconds: 24 hours. */
export const SIGN_LINK_SECONDS = 86_400;
/** Maximum number of accounts. A longer link would not fit into mail programs and QR codes. */
export const MAX_LINKED_ACCOUNTS = 20;

/**
 * An array instead of an object keeps the link short, which matters because it is also shown as a QR code.
 */
type Payload = readonly [
  version: 1,
  kind: string,
  walletAddress: string,
  idempotencyKey: string,
  genesisHash: string,
  voteAccount: string,
  expiresAtSeconds: number,
  amountLamports: string | null,
  stakeAccountAddress: string | null,
  change: readonly [string, string | null, string | null, readonly string[] | null] | null,
];

/** Encodes a link's content as JSON in base64url. Every field must be ASCII. */
export const encodeSignLink = (link: SignLink): string => {
  const { change } = link;
  const payload: Payload = [
    1,
    link.kind,
    link.walletAddress,
    link.idempotencyKey,
    link.genesisHash,
    link.voteAccount,
    link.expiresAtSeconds,
    link.amountLamports === undefined ? null : String(link.amountLamports),
    link.stakeAccountAddress ?? null,
    change === undefined
      ? null
      : [change.goal, change.rounding ?? null, change.to ?? null, change.accounts ?? null],
  ];
  return btoa(JSON.stringify(payload)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const ADDRESS = new RegExp(ADDRESS_PATTERN);
const KEY = /^[\x21-\x7e]{1,255}$/;
const LAMPORTS = /^[1-9]\d{0,19}$/;

const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value);

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

const changeOf = (value: unknown): SignRequest['change'] | null => {
  if (!Array.isArray(value)) return null;
  const [goalName, roundingName, toName, accounts] = value as unknown[];
  const goal = oneOf(goalNames, goalName);
  const rounding = oneOf(ROUNDINGS, roundingName);
  const to = oneOf(DESTINATIONS, toName);
  const areAccounts =
    accounts === null ||
    (Array.isArray(accounts) && accounts.length <= MAX_LINKED_ACCOUNTS && accounts.every(isAddress));
  if (goal === undefined || !areAccounts) return null;
  if ((rounding === undefined) !== (roundingName === null) || (to === undefined) !== (toName === null))
    return null;
  return {
    goal,
    ...(rounding && { rounding }),
    ...(to && { to }),
    ...(accounts !== null && { accounts: accounts as readonly string[] }),
  };
};

/**
 * Decodes a link's content. Returns null if it is invalid. Checks the format of every field, but not who
 * created the link.
 */
export const decodeSignLink = (text: string): SignLink | null => {
  let payload: unknown;
  try {
    payload = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
  if (!Array.isArray(payload) || payload.length !== 10 || payload[0] !== 1) return null;
  const [, kindName, wallet, key, genesis, vote, expires, amount, account, changed] = payload as unknown[];
  const kind = oneOf(KINDS, kindName);
  const change = changed === null ? undefined : changeOf(changed);
  const areAddresses = [wallet, genesis, vote].every(isAddress) && (account === null || isAddress(account));
  if (kind === undefined || change === null || !areAddresses) return null;
  if (typeof key !== 'string' || !KEY.test(key) || !Number.isSafeInteger(expires)) return null;
  if (amount !== null && !(typeof amount === 'string' && LAMPORTS.test(amount))) return null;
  return {
    kind,
    walletAddress: wallet as string,
    idempotencyKey: key,
    genesisHash: genesis as string,
    voteAccount: vote as string,
    expiresAtSeconds: expires as number,
    ...(amount !== null && { amountLamports: BigInt(amount) }),
    ...(account !== null && { stakeAccountAddress: account as string }),
    ...(change && { change }),
  };
};
