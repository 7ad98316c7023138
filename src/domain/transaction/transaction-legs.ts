// Splits a landed transaction into legs, one per instruction on a stake account, each with its amount if
// known.
import type { Address } from '@solana/kit';
import type { DecodedInstruction, InstructionFields } from '../instruction-types.ts';
import { lamportTransfers } from './effects/lamport-transfers.ts';

/** Type of the leg for each instruction. */
const LEG_OF = {
  'system.createAccount': 'create',
  'system.transfer': 'transfer',
  'stake.delegateStake': 'delegate',
  'stake.deactivate': 'deactivate',
  'stake.withdraw': 'withdraw',
  'stake.split': 'split',
  'stake.merge': 'merge',
  'stake.moveStake': 'moveStake',
  'stake.moveLamports': 'moveLamports',
  'stake.authorize': 'authorize',
} as const satisfies Partial<Record<InstructionFields['type'], string>>;

type LegInstruction = keyof typeof LEG_OF;

/**
 * `authorize` changes the stake authority. `undo` is a delegation that reversed a deactivation of the same
 * epoch; its instruction is the same as that of any other delegation.
 */
export type LegType = (typeof LEG_OF)[LegInstruction] | 'authorizeWithdrawer' | 'undo';

/** All leg types. */
export const LEG_TYPES = [
  ...Object.values(LEG_OF),
  'authorizeWithdrawer',
  'undo',
] as const satisfies readonly LegType[];

/** One step of a landed transaction. */
export interface TransactionLeg {
  readonly type: LegType;
  /**
   * The account that is created, delegated, merged into, divided, paid into or withdrawn from; null for a
   * transfer to any other account.
   */
  readonly stakeAccount: string | null;
  /**
   * The other account: the destination of lamports; the source when an account is created, receives a
   * transfer or is merged into; the vote account of a delegation; the new authority when an authority
   * changes. Null for a deactivation.
   */
  readonly counterAccount: string | null;
  /**
   * The amount that was moved or, for a delegation or deactivation, the delegated amount. Null if unknown.
   */
  readonly lamports: bigint | null;
}

type Fields = Extract<InstructionFields, { readonly type: LegInstruction }>;

const accountsOf = (
  data: Fields,
  isStake: (account: string | null) => boolean,
): Pick<TransactionLeg, 'stakeAccount' | 'counterAccount'> => {
  switch (data.type) {
    case 'system.createAccount':
      return { stakeAccount: data.newAccount, counterAccount: data.from };
    case 'system.transfer':
      return isStake(data.to)
        ? { stakeAccount: data.to, counterAccount: data.from }
        : { stakeAccount: null, counterAccount: data.to };
    case 'stake.delegateStake':
      return { stakeAccount: data.stakeAccount, counterAccount: data.voteAccount };
    case 'stake.deactivate':
      return { stakeAccount: data.stakeAccount, counterAccount: null };
    case 'stake.withdraw':
      return { stakeAccount: data.stakeAccount, counterAccount: data.recipient };
    case 'stake.split':
    case 'stake.moveStake':
    case 'stake.moveLamports':
      return { stakeAccount: data.stakeAccount, counterAccount: data.into };
    case 'stake.merge':
      return { stakeAccount: data.stakeAccount, counterAccount: data.from };
    case 'stake.authorize':
      return { stakeAccount: data.stakeAccount, counterAccount: data.newAuthority };
  }
};

const namedStakes = (data: InstructionFields): readonly (Address | null)[] => {
  if (!('stakeAccount' in data)) return [];
  const other = 'into' in data ? data.into : 'from' in data ? data.from : null;
  return [data.stakeAccount, other];
};

const BETWEEN_STAKES: ReadonlySet<LegType> = new Set(['split', 'merge', 'moveStake', 'moveLamports']);

const typeOf = (data: Fields): LegType =>
  data.type === 'stake.authorize' && data.role === 'withdrawer' ? 'authorizeWithdrawer' : LEG_OF[data.type];

const isLeg = (data: InstructionFields): data is Fields => data.type in LEG_OF;

/** Returns the stake of each account that was split off here, if no other instruction changes it. */
const splitOffStakes = (legs: readonly TransactionLeg[]): ReadonlyMap<string | null, bigint | null> => {
  const between = legs.filter(({ type }) => BETWEEN_STAKES.has(type));
  const isOnce = (account: string | null): boolean =>
    between.filter((leg) => leg.stakeAccount === account || leg.counterAccount === account).length === 1;
  return new Map(
    between
      .filter(({ type, counterAccount }) => type === 'split' && isOnce(counterAccount))
      .map(({ counterAccount, lamports }) => [counterAccount, lamports]),
  );
};

/**
 * Lists the legs of a transaction in order. `before` contains the known balances before the transaction;
 * without them, a merge of an existing account has no amount. The amount of a deactivation is known for an
 * account that was split off in the same transaction. Transfers to other accounts are legs only in a
 * donation, which does nothing else.
 */
export const legsOf = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data'>[],
  before: ReadonlyMap<Address, bigint> = new Map(),
): readonly TransactionLeg[] => {
  const transfers = lamportTransfers(instructions, before);
  const stakes = new Set(instructions.flatMap(({ data }) => namedStakes(data)));
  const isStake = (account: string | null): boolean => account !== null && stakes.has(account as Address);
  const legs = instructions.flatMap(({ data }, index): TransactionLeg[] => {
    if (!isLeg(data)) return [];
    const accounts = accountsOf(data, isStake);
    // Only a donation contains no stake account. Other transactions without one do not concern the wallet's
    // stake.
    const isDonation = data.type === 'system.transfer' && stakes.size === 0;
    if (!isDonation && !isStake(accounts.stakeAccount)) return [];
    return [{ type: typeOf(data), ...accounts, lamports: transfers[index]?.lamports ?? null }];
  });
  const stakeOf = splitOffStakes(legs);
  return legs.map((leg) =>
    leg.type === 'deactivate' ? { ...leg, lamports: stakeOf.get(leg.stakeAccount) ?? null } : leg,
  );
};

/** Lists the stake accounts of a transaction, the main one first. Empty for a donation. */
export const stakeAccountsOf = ({
  stakeAccountAddress,
  legs,
}: {
  readonly stakeAccountAddress: string | null;
  readonly legs: readonly Omit<TransactionLeg, 'lamports'>[];
}): readonly string[] => {
  const accounts = legs.flatMap(({ type, stakeAccount, counterAccount }) => [
    stakeAccount,
    BETWEEN_STAKES.has(type) ? counterAccount : null,
  ]);
  return [...new Set([stakeAccountAddress, ...accounts].filter((account) => account !== null))];
};

/**
 * Returns true if the same transaction also withdraws the stake that it deactivates, which is possible only if
 * that stake was never active. A smaller withdrawal from the account takes only its idle SOL.
 */
const isWithdrawnAfter = (deactivation: TransactionLeg, legs: readonly TransactionLeg[]): boolean =>
  legs
    .slice(legs.indexOf(deactivation))
    .some(
      ({ type, stakeAccount, lamports }) =>
        type === 'withdraw' &&
        stakeAccount === deactivation.stakeAccount &&
        deactivation.lamports !== null &&
        lamports !== null &&
        lamports >= deactivation.lamports,
    );

/** Lists the deactivations whose stake is still in its account at the end of the transaction. */
export const remainingDeactivations = (legs: readonly TransactionLeg[]): readonly TransactionLeg[] =>
  legs.filter((leg) => leg.type === 'deactivate' && !isWithdrawnAfter(leg, legs));
