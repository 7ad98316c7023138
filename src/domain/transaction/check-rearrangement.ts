// Checks a rearrangement of stake. Invariant: only the wallet's own authority is used, every lamport that is
// moved ends up in a stake account under that authority or in the wallet, and stake is only delegated to the
// pinned validator.
import type { Address } from '@solana/kit';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';
import { fieldIfKnown, requireOwnCreate, requireOwnInitialize } from './check-single-account.ts';
import { addressFigure } from './instruction-summary.ts';
import type { Expectations, Fields, KindCheckInput, KindFacts } from './kind-record.ts';

/**
 * Highest rent-exempt minimum accepted for a new account for a split. The minimum was 2,282,880 lamports and
 * has fallen since.
 */
export const MAX_RENT_LAMPORTS = 3_000_000n;

/** Returns the account of an instruction; null if it is hidden in a lookup table. */
type Account = Address | null;

/**
 * Returns the accounts of a split, merge or move. The Stake program requires equal authorities, so both
 * accounts have the same owner.
 */
const joinedBy = (data: InstructionFields): readonly [Account, Account] | null =>
  data.type === 'stake.merge'
    ? [data.stakeAccount, data.from]
    : data.type === 'stake.split' || data.type === 'stake.moveStake' || data.type === 'stake.moveLamports'
      ? [data.stakeAccount, data.into]
      : null;

/**
 * Finds the accounts that the wallet can certainly withdraw from: accounts that it initializes or withdraws
 * from in this transaction, accounts known to be its own, and accounts that are split, merged or moved
 * together with such an account.
 */
export const accountsOfWallet = (
  fields: readonly InstructionFields[],
  wallet: Address,
  accounts: Expectations['accounts'] = new Map(),
): ReadonlySet<Account> => {
  const own = new Set<Account>();
  for (const [address, { withdrawer }] of accounts) if (withdrawer === wallet) own.add(address);
  for (const data of fields)
    if (data.type === 'stake.initialize' || data.type === 'stake.withdraw') own.add(data.stakeAccount);
  let open = fields.map(joinedBy).filter((pair) => pair !== null);
  for (;;) {
    const touching = open.filter((pair) => pair.some((account) => own.has(account)));
    if (touching.length === 0) return own;
    for (const account of touching.flat()) own.add(account);
    open = open.filter((pair) => !touching.includes(pair));
  }
};

/** Lamports of one rearrangement, in transit and at their destinations. */
interface Lamports {
  /**
   * Balances of accounts created by the wallet that are neither initialized nor the target of a split yet.
   */
  readonly created: Map<Account, bigint>;
  /**
   * Balances of accounts initialized for the wallet that are not yet delegated, merged, or emptied down to
   * their rent-exempt minimum.
   */
  readonly idle: Map<Account, bigint>;
  /** Lamports that the wallet transferred into an account and has not yet withdrawn from it. */
  readonly lent: Map<Account, bigint>;
  staked: bigint;
  rent: bigint;
  withdrawn: bigint;
  atRisk: bigint;
}

type Check<Type extends InstructionFields['type']> = (
  data: Fields<Type>,
  lamports: Lamports,
  checking: KindCheckInput & { readonly own: ReadonlySet<Account> },
) => void;

const checkCreate: Check<'system.createAccount'> = (data, { created }, checking) => {
  requireOwnCreate(data, checking);
  created.set(data.newAccount, data.lamports);
};

const checkTransfer: Check<'system.transfer'> = (data, { lent }, { wallet, demand }) => {
  demand(data.from === wallet, 'TRANSFERRED_BY_OTHER');
  lent.set(data.to, (lent.get(data.to) ?? 0n) + data.lamports);
};

const checkInitialize: Check<'stake.initialize'> = (data, lamports, checking) => {
  const balance = lamports.created.get(data.stakeAccount);
  checking.demand(balance !== undefined, 'INITIALIZES_FOREIGN');
  requireOwnInitialize(data, checking);
  // Counted as staked before the delegation, because `checkLeftOver` refuses accounts that stay idle.
  lamports.staked += balance ?? 0n;
  lamports.created.delete(data.stakeAccount);
  lamports.idle.set(data.stakeAccount, balance ?? 0n);
};

const checkDelegate: Check<'stake.delegateStake'> = (data, { idle }, { expected, demand }) => {
  demand(data.voteAccount === expected.voteAccount, 'OTHER_VOTE_ACCOUNT');
  idle.delete(data.stakeAccount);
};

const checkSplit: Check<'stake.split'> = (data, lamports, { own, demand }) => {
  const rent = lamports.created.get(data.into);
  demand(rent !== undefined, 'SPLITS_INTO_FOREIGN');
  demand((rent ?? 0n) <= MAX_RENT_LAMPORTS, 'SPLIT_ABOVE_RENT');
  lamports.rent += rent ?? 0n;
  if (!own.has(data.stakeAccount)) lamports.atRisk += rent ?? 0n;
  lamports.created.delete(data.into);
};

const checkMerge: Check<'stake.merge'> = (data, { idle }) => void idle.delete(data.from);

/**
 * Requires that an emptied new account keeps its rent-exempt minimum, so that its address can be created only
 * once.
 */
const checkMoveLamports: Check<'stake.moveLamports'> = (data, lamports, { demand }) => {
  const balance = lamports.idle.get(data.stakeAccount);
  if (balance === undefined) return;
  const rent = balance - data.lamports;
  demand(rent > 0n && rent <= MAX_RENT_LAMPORTS, 'EMPTIED_BEYOND_RENT');
  lamports.idle.delete(data.stakeAccount);
  lamports.staked -= rent;
  lamports.rent += rent;
};

const checkWithdraw: Check<'stake.withdraw'> = (data, lamports, { wallet, demand }) => {
  demand(data.withdrawAuthority === wallet, 'WITHDRAWN_BY_OTHER');
  demand(data.recipient === wallet, 'OTHER_RECIPIENT');
  demand(data.custodian === null || data.custodian === wallet, 'OTHER_CUSTODIAN_SIGNS');
  const lent = lamports.lent.get(data.stakeAccount);
  if (lent !== undefined)
    lamports.lent.set(data.stakeAccount, lent > data.lamports ? lent - data.lamports : 0n);
  lamports.withdrawn += data.lamports;
};

const checkAuthorize: Check<'stake.authorize'> = (data, _, { wallet, demand }) => {
  demand(
    data.authority === wallet && data.newAuthority === wallet && data.role === 'staker',
    'GIVES_AUTHORITY_AWAY',
  );
  demand(data.custodian === null, 'CUSTODIAN_SIGNS');
};

/**
 * Check for each instruction. `recognizeTransaction` has already refused instructions outside the kind's
 * layout. Deactivations and moveStake need no check, because the stake stays with its owner.
 */
const checks: { readonly [Type in InstructionFields['type']]?: Check<Type> } = {
  'system.createAccount': checkCreate,
  'system.transfer': checkTransfer,
  'stake.initialize': checkInitialize,
  'stake.delegateStake': checkDelegate,
  'stake.split': checkSplit,
  'stake.merge': checkMerge,
  'stake.moveLamports': checkMoveLamports,
  'stake.withdraw': checkWithdraw,
  'stake.authorize': checkAuthorize,
};

/**
 * Requires that none of the wallet's lamports remain in transit, because others may be able to empty an
 * account that received a loan.
 */
const checkLeftOver = ({ created, idle, lent }: Lamports, { demand }: KindCheckInput): void => {
  demand(created.size === 0, 'CREATED_ONLY');
  demand(idle.size === 0, 'CREATED_IDLE');
  demand(
    [...lent.values()].every((lamports) => lamports === 0n),
    'LOAN_NOT_RETURNED',
  );
};

const UNDELEGATED: readonly (string | undefined)[] = ['initialized', 'inactive'];

/**
 * Requires that no activating stake is merged into an undelegated account, which would cancel the activation.
 * Skips accounts whose state is unknown.
 */
const checkActivations = ({ fields, expected: { accounts }, demand }: KindCheckInput): void => {
  const states = new Map<Account, string>();
  for (const [address, { state }] of accounts ?? []) states.set(address, state);
  for (const data of fields) {
    const state = 'stakeAccount' in data ? states.get(data.stakeAccount) : undefined;
    if (data.type === 'stake.initialize') states.set(data.stakeAccount, 'initialized');
    else if (data.type === 'stake.delegateStake') states.set(data.stakeAccount, 'activating');
    else if (data.type === 'stake.deactivate')
      states.set(data.stakeAccount, state === 'activating' ? 'inactive' : 'deactivating');
    else if (data.type === 'stake.split' && state !== undefined) states.set(data.into, state);
    else if (data.type === 'stake.moveStake' && UNDELEGATED.includes(states.get(data.into)))
      states.set(data.into, 'active');
    else if (data.type === 'stake.merge')
      demand(
        states.get(data.from) !== 'activating' || !UNDELEGATED.includes(state),
        'MERGE_CANCELS_ACTIVATION',
        { from: addressFigure(data.from) },
      );
  }
};

/** Checks every instruction in order, and finally that no lamports remain in transit. */
export const checkRearrangement = (checking: KindCheckInput): KindFacts => {
  const { fields, wallet, expected, demand } = checking;
  const lamports: Lamports = {
    created: new Map(),
    idle: new Map(),
    lent: new Map(),
    staked: 0n,
    rent: 0n,
    withdrawn: 0n,
    atRisk: 0n,
  };
  const own = accountsOfWallet(fields, expected.owner ?? wallet, expected.accounts);
  for (const data of fields) {
    if ('stakeAccount' in data) demand(data.stakeAccount !== null, 'NO_STAKE_ACCOUNT');
    if ('stakeAuthority' in data) demand(data.stakeAuthority === wallet, 'ACTED_ON_BY_OTHER');
    (checks[data.type] as Check<typeof data.type> | undefined)?.(data as never, lamports, {
      ...checking,
      own,
    });
  }
  const created = fields.filter(
    (data): data is Fields<'system.createAccount'> => data.type === 'system.createAccount',
  );
  const { stakeAccount } = expected;
  const touched = fields.flatMap((data): readonly Account[] =>
    'stakeAccount' in data ? (joinedBy(data) ?? [data.stakeAccount]) : [],
  );
  demand(
    stakeAccount === undefined ||
      touched.every(
        (account) => account === stakeAccount || created.some(({ newAccount }) => newAccount === account),
      ),
    'MORE_STAKE_ACCOUNTS',
  );
  checkLeftOver(lamports, checking);
  checkActivations(checking);
  const delegates = fields.some(({ type }) => type === 'stake.delegateStake');
  return {
    // A rearrangement affects several accounts, so it has no single address.
    ...fieldIfKnown('stakeAccount', stakeAccount),
    ...fieldIfKnown('voteAccount', delegates ? expected.voteAccount : null),
    ...fieldIfKnown('recipient', lamports.withdrawn > 0n ? wallet : null),
    effects: {
      stakedLamports: lamports.staked,
      rentLamports: lamports.rent,
      withdrawnLamports: lamports.withdrawn,
      atRiskLamports: lamports.atRisk,
    },
    // For an address derived from the wallet, the wallet's signature is enough.
    signers: created.flatMap(({ newAccount, derivedFrom }) =>
      newAccount === null || derivedFrom !== undefined ? [] : [newAccount],
    ),
  };
};

const NEVER_ALONE: readonly InstructionFields['type'][] = [
  'stake.split',
  'stake.merge',
  'stake.moveStake',
  'stake.moveLamports',
  'stake.authorize',
];

/** Layouts of a new stake, without and with another address as its stake authority. */
const NEW_STAKES: readonly string[] = [
  'stake.initialize,stake.delegateStake',
  'stake.initialize,stake.delegateStake,stake.authorize',
];

/**
 * Returns true unless the stake instructions are exactly a new stake, or a single instruction of another
 * kind.
 */
export const isRearrangement = (fields: readonly InstructionFields[]): boolean => {
  const stake = fields.map(({ type }) => type).filter((type) => type.startsWith('stake.'));
  const isNew = NEW_STAKES.includes(stake.join());
  const isSingle = stake.length === 1 && !NEVER_ALONE.includes(stake[0]!);
  return stake.length > 0 && !isNew && !isSingle;
};

/** Describes the effects. Returns an empty list if no lamports move. */
export const rearrangementSentences = ({ effects }: Pick<KindFacts, 'effects'>): readonly Sentence[] => {
  if (effects === undefined) return [];
  const { stakedLamports, rentLamports, withdrawnLamports, atRiskLamports } = effects;
  const said = (lamports: bigint, code: string, text: string): readonly Sentence[] =>
    lamports > 0n ? [sentence(code, text, { amountSol: formatSol(lamports) })] : [];
  return [
    ...said(withdrawnLamports, 'WITHDRAWS', 'It withdraws {amountSol} SOL to the wallet.'),
    ...said(stakedLamports, 'STAKES', 'It stakes {amountSol} SOL from the wallet.'),
    ...said(
      rentLamports,
      'LOCKS_RENT',
      '{amountSol} SOL of rent goes into new accounts and comes back when they are closed.',
    ),
    ...said(
      atRiskLamports,
      'RISKS_RENT',
      'You could lose up to {amountSol} SOL of it if another party controls the account being split.',
    ),
  ];
};
