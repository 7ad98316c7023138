// One record per kind of transaction that this service makes: its instructions, how it is recognised and checked, what it moves, and the words for it.
import type { Address } from '@solana/kit';
import { MEMO_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields, OwnInstruction } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';
import { STAKE_ACCOUNT_BYTES } from '../stake/stake-account.ts';

/** What our transactions look like, and, where it is known, what this one was asked to be. */
export interface Expectations {
  readonly voteAccount: Address;
  /** Where a donation may go. Absent: nothing is a donation. */
  readonly donationAddress?: Address;
  /** Exact text. */
  readonly memo: string;
  /** Programs under which a memo counts. Default: all known ones. */
  readonly memoPrograms?: readonly Address[];
  /** Checked only where given. */
  readonly wallet?: Address;
  readonly stakeAccount?: Address;
  readonly lamports?: bigint;
  /** Where a withdrawal must go. Default: the wallet. */
  readonly recipient?: Address;
  /** Which instructions of System and Stake it may hold. Default: any of its kind. */
  readonly allowed?: readonly OwnInstruction[];
  /** Of a rearrangement: what is known of the accounts before it. */
  readonly accounts?: ReadonlyMap<Address, KnownAccount>;
  /** The most a wallet may have added as priority fee. Default 0.01 SOL. */
  readonly maxPriorityFeeLamports?: bigint;
  /**
   * True for what a wallet returned: it may have added assertions of its own. Default false: bytes that no wallet has seen hold nothing
   * beside our instructions but a compute budget.
   */
  readonly allowWalletGuards?: boolean;
}

/** What somebody who verifies knows of a stake account. */
export interface KnownAccount {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  /** Who can withdraw from it without anybody else's consent, as read from a node that the verifier trusts. Absent: not known. */
  readonly withdrawer?: Address;
}

/** The parts of a transaction that can be right or wrong, in the order in which they are shown. */
export const VERDICT_FIELDS = [
  'feePayer',
  'instructions',
  'signers',
  'stakeAccount',
  'stakeAuthority',
  'withdrawAuthority',
  'lockup',
  'validator',
  'fundedBy',
  'recipient',
  'amount',
  'memo',
  'priorityFee',
] as const;

/** One of them. */
export type VerdictField = (typeof VERDICT_FIELDS)[number];

/** Every check of the verifier, with the field in which its failure shows. */
export const fieldOfCheck = {
  kind: 'instructions',
  order: 'instructions',
  instructions: 'instructions',
  'lookup-tables': 'instructions',
  signers: 'signers',
  wallet: 'feePayer',
  'create-account': 'stakeAccount',
  'stake-account': 'stakeAccount',
  'stake-authority': 'stakeAuthority',
  'withdraw-authority': 'withdrawAuthority',
  lockup: 'lockup',
  'vote-account': 'validator',
  recipient: 'recipient',
  sender: 'fundedBy',
  lamports: 'amount',
  memo: 'memo',
  'priority-fee': 'priorityFee',
} as const satisfies Record<string, VerdictField>;

/** The name of a check. */
export type VerifierCheck = keyof typeof fieldOfCheck;

/** What the check of a kind is given. `fields` holds at least the instruction by which the kind was recognised. */
interface Checking {
  readonly fields: readonly InstructionFields[];
  /** The fee payer. */
  readonly wallet: Address;
  readonly expected: Expectations;
  readonly demand: (holds: boolean, check: VerifierCheck, text: string) => void;
}

/** What the check of a kind found. */
export interface Found {
  readonly stakeAccount?: Address;
  /** Where a stake is delegated to. */
  readonly voteAccount?: Address;
  readonly lamports?: bigint;
  readonly recipient?: Address;
  readonly effects?: StakeEffects;
  /** Who must sign beside the wallet. */
  readonly signers: readonly Address[];
}

/** What a rearrangement does with lamports of the wallet. */
export interface StakeEffects {
  /** Into new stakes under the wallet's own authorities, or through new accounts into stakes. */
  readonly stakedLamports: bigint;
  /** Rent of new accounts that stay beside the stake; it comes back when they are closed. */
  readonly rentLamports: bigint;
  readonly withdrawnLamports: bigint;
  /** The part of the rent that the wallet cannot get back should somebody else hold what is split, or a lockup: the bytes do not say it. */
  readonly atRiskLamports: bigint;
}

type InstructionType = InstructionFields['type'];
type Fields<Type extends InstructionType> = Extract<InstructionFields, { type: Type }>;

/** Everything that differs between one kind of transaction and another. */
interface KindRecord {
  /** Its instructions, in the order in which they must stand; `chain/transaction.ts` builds them. */
  readonly layout: readonly OwnInstruction[];
  /** Its instructions may be some of the layout's, in any order and number. Default: all of them, once and in order. */
  readonly isFree?: true;
  /** True for any transaction that is meant as this kind, rightly made or not. Kinds are asked in the order of the record. */
  readonly matches: (fields: readonly InstructionFields[], expected: Expectations) => boolean;
  /** Checks its own fields: whose authority, whose account, how much, to whom. */
  readonly check: (checking: Checking) => Found;
  /** The fields that its verdict shows beside those that every transaction has. */
  readonly fields: readonly VerdictField[];
  /** Where the lamports must go. Absent: nowhere that the recipient field speaks of. */
  readonly recipient?: (expected: Expectations, wallet: Address) => Address | undefined;
  /** `delegation`: the amount is what the account has delegated afterwards. Absent: the bytes say it. */
  readonly amountFrom?: 'delegation';
  /** Where the lamports go, in words: "Moved …". Null: it moves none. */
  readonly moves: string | null;
  /** `Stake`: what a button says. */
  readonly verb: string;
  /** `Staked`: what was done, as in `totalSolStaked`. */
  readonly pastTense: string;
  /** `Stake`: what was carried out; with an s for several. */
  readonly noun: string;
  /** What it does, for whoever decides about it. */
  readonly description: string;
  /** What follows once it is confirmed. */
  readonly afterwards: string;
  /** What a transaction does that passed every check: one sentence about these bytes. */
  readonly verdict: (found: Omit<Found, 'signers'>) => string;
}

const first = <Type extends InstructionType>(
  fields: readonly InstructionFields[],
  type: Type,
): Fields<Type> | undefined => fields.find((data): data is Fields<Type> => data.type === type);

const has =
  (type: InstructionType) =>
  (fields: readonly InstructionFields[]): boolean =>
    fields.some((data) => data.type === type);

const isDonation =
  ({ donationAddress }: Expectations) =>
  (data: InstructionFields): data is Fields<'system.transfer'> =>
    donationAddress !== undefined && data.type === 'system.transfer' && data.to === donationAddress;

const known = <Key extends string>(key: Key, address: Address | null | undefined): { [K in Key]?: Address } =>
  (address === null || address === undefined ? {} : { [key]: address }) as { [K in Key]?: Address };

const solOf = ({ lamports }: Pick<Found, 'lamports'>): string =>
  lamports === undefined ? 'an unknown amount of' : formatSol(lamports);

/** Demands that a new stake account has the wallet as both authorities, and no lockup. */
const demandOwnInitialize = (
  { staker, withdrawer, lockup }: Extract<InstructionFields, { type: 'stake.initialize' }>,
  { wallet, demand }: Checking,
): void => {
  const { custodian, epoch, unixTimestamp } = lockup;
  demand(staker === wallet, 'stake-authority', 'The stake authority is not the fee payer.');
  demand(withdrawer === wallet, 'withdraw-authority', 'The withdraw authority is not the fee payer.');
  demand(
    unixTimestamp === 0n && epoch === 0n && custodian === SYSTEM_PROGRAM,
    'lockup',
    'It sets a lockup or a custodian.',
  );
};

const checkStake = (checking: Checking): Found => {
  const { fields, wallet, expected, demand } = checking;
  const delegate = first(fields, 'stake.delegateStake')!;
  const create = first(fields, 'system.createAccount');
  const initialize = first(fields, 'stake.initialize');
  const { stakeAccount } = delegate;
  demand(
    delegate.voteAccount === expected.voteAccount,
    'vote-account',
    'It delegates to a different vote account.',
  );
  demand(
    delegate.stakeAuthority === wallet,
    'stake-authority',
    'The delegating authority is not the fee payer.',
  );
  demand(stakeAccount !== null && stakeAccount !== wallet, 'stake-account', 'It names no stake account.');
  if (create) {
    demand(create.from === wallet, 'sender', 'The stake account is not funded by the fee payer.');
    demand(
      create.newAccount === stakeAccount,
      'stake-account',
      'It creates a different account than it delegates.',
    );
    demand(
      create.owner === STAKE_PROGRAM && create.space === BigInt(STAKE_ACCOUNT_BYTES),
      'create-account',
      'The new account is not a stake account.',
    );
  }
  if (initialize) {
    demand(
      initialize.stakeAccount === stakeAccount,
      'stake-account',
      'It initializes a different account than it delegates.',
    );
    demandOwnInitialize(initialize, checking);
  }
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('voteAccount', delegate.voteAccount),
    ...(create ? { lamports: create.lamports } : {}),
    signers: stakeAccount === null ? [] : [stakeAccount],
  };
};

const checkRestake = ({ fields, wallet, expected, demand }: Checking): Found => {
  const { stakeAccount, voteAccount, stakeAuthority } = first(fields, 'stake.delegateStake')!;
  demand(voteAccount === expected.voteAccount, 'vote-account', 'It delegates to a different vote account.');
  demand(stakeAuthority === wallet, 'stake-authority', 'The delegating authority is not the fee payer.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return { ...known('stakeAccount', stakeAccount), ...known('voteAccount', voteAccount), signers: [] };
};

const checkUnstake = ({ fields, wallet, demand }: Checking): Found => {
  const { stakeAccount, stakeAuthority } = first(fields, 'stake.deactivate')!;
  demand(stakeAuthority === wallet, 'stake-authority', 'The deactivating authority is not the fee payer.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return { ...known('stakeAccount', stakeAccount), signers: [] };
};

const checkWithdraw = ({ fields, wallet, expected, demand }: Checking): Found => {
  const { stakeAccount, recipient, withdrawAuthority, custodian, lamports } = first(
    fields,
    'stake.withdraw',
  )!;
  demand(
    withdrawAuthority === wallet,
    'withdraw-authority',
    'The withdrawing authority is not the fee payer.',
  );
  demand(recipient === (expected.recipient ?? wallet), 'recipient', 'The lamports go to another account.');
  demand(stakeAccount !== null, 'stake-account', 'It names no stake account.');
  return {
    ...known('stakeAccount', stakeAccount),
    ...known('recipient', recipient),
    lamports,
    signers: custodian === null ? [] : [custodian],
  };
};

const checkDonate = ({ fields, wallet, expected, demand }: Checking): Found => {
  const transfer = fields.find(isDonation(expected))!;
  demand(transfer.from === wallet, 'sender', 'The donor is not the fee payer.');
  return { ...known('recipient', transfer.to), lamports: transfer.lamports, signers: [] };
};

/** The most rent in a new account into which stake is split: the rent was 2,282,880 lamports and has fallen since. */
export const MOST_RENT_LAMPORTS = 3_000_000n;

/** The Stake program demands equal authorities of both: who may withdraw from one may withdraw from the other. */
const joinedBy = (data: InstructionFields): readonly [Address | null, Address | null] | null =>
  data.type === 'stake.merge'
    ? [data.stakeAccount, data.from]
    : data.type === 'stake.split' || data.type === 'stake.moveStake' || data.type === 'stake.moveLamports'
      ? [data.stakeAccount, data.into]
      : null;

/** Accounts from which the wallet can surely withdraw: it initializes them or withdraws here, it is known, or they are joined to such a one. */
export const accountsOfWallet = (
  fields: readonly InstructionFields[],
  wallet: Address,
  accounts: Expectations['accounts'] = new Map(),
): ReadonlySet<Address | null> => {
  const own = new Set<Address | null>();
  for (const [address, { withdrawer }] of accounts) if (withdrawer === wallet) own.add(address);
  for (const data of fields)
    if (data.type === 'stake.initialize' || data.type === 'stake.withdraw') own.add(data.stakeAccount);
  const joined = fields.map(joinedBy).filter((pair) => pair !== null);
  for (let size = -1; size < own.size; ) {
    size = own.size;
    for (const pair of joined) if (pair.some((one) => own.has(one))) for (const one of pair) own.add(one);
  }
  return own;
};

const UNDELEGATED: readonly (string | undefined)[] = ['initialized', 'inactive'];

/** Demands that nothing which is activating goes into what is not delegated: that would cancel it. Only where states are known. */
const checkActivations = ({ fields, expected: { accounts }, demand }: Checking): void => {
  const states = new Map<Address | null, string>();
  for (const [address, { state }] of accounts ?? []) states.set(address, state);
  const copyState = (from: Address | null, to: Address | null): void => {
    const state = states.get(from);
    if (state !== undefined) states.set(to, state);
  };
  for (const data of fields) {
    if (data.type === 'stake.initialize') states.set(data.stakeAccount, 'initialized');
    else if (data.type === 'stake.delegateStake') states.set(data.stakeAccount, 'activating');
    else if (data.type === 'stake.split') copyState(data.stakeAccount, data.into);
    else if (data.type === 'stake.deactivate')
      states.set(
        data.stakeAccount,
        states.get(data.stakeAccount) === 'activating' ? 'inactive' : 'deactivating',
      );
    else if (data.type === 'stake.moveStake' && UNDELEGATED.includes(states.get(data.into)))
      states.set(data.into, 'active');
    else if (data.type === 'stake.merge')
      demand(
        states.get(data.from) !== 'activating' || !UNDELEGATED.includes(states.get(data.stakeAccount)),
        'kind',
        `It merges ${data.from}, which is activating, into an account that is not delegated: that cancels it.`,
      );
  }
};

const checkRearrange = (checking: Checking): Found => {
  const { fields, wallet, expected, demand } = checking;
  const created = new Map<Address | null, bigint>();
  /** Created, initialized for the wallet, and not yet delegated or merged, with what is left in them. */
  const idle = new Map<Address | null, bigint>();
  const lent = new Map<Address | null, bigint>();
  const touched: (Address | null)[] = [];
  let [stakedLamports, rentLamports, withdrawnLamports, atRiskLamports] = [0n, 0n, 0n, 0n];
  const own = accountsOfWallet(fields, wallet, expected.accounts);
  const signers: Address[] = [];
  for (const data of fields) {
    if ('stakeAccount' in data) {
      touched.push(data.stakeAccount);
      demand(data.stakeAccount !== null, 'stake-account', 'It names no stake account.');
    }
    touched.push(...(joinedBy(data)?.slice(1) ?? []));
    if ('stakeAuthority' in data)
      demand(data.stakeAuthority === wallet, 'stake-authority', 'Another authority than the fee payer acts.');
    switch (data.type) {
      case 'system.createAccount':
        demand(
          data.owner === STAKE_PROGRAM && data.space === BigInt(STAKE_ACCOUNT_BYTES),
          'create-account',
          'A new account is no stake account.',
        );
        demand(data.from === wallet, 'sender', 'Another account than the fee payer funds a new account.');
        created.set(data.newAccount, data.lamports);
        if (data.newAccount !== null) signers.push(data.newAccount);
        break;
      case 'system.transfer':
        demand(data.from === wallet, 'sender', 'Another account than the fee payer transfers.');
        lent.set(data.to, (lent.get(data.to) ?? 0n) + data.lamports);
        break;
      case 'stake.initialize': {
        const lamports = created.get(data.stakeAccount);
        demand(lamports !== undefined, 'create-account', 'It initializes an account that it did not create.');
        demandOwnInitialize(data, checking);
        stakedLamports += lamports ?? 0n;
        created.delete(data.stakeAccount);
        idle.set(data.stakeAccount, lamports ?? 0n);
        break;
      }
      case 'stake.delegateStake':
        demand(
          data.voteAccount === expected.voteAccount,
          'vote-account',
          'It delegates to another vote account.',
        );
        idle.delete(data.stakeAccount);
        break;
      case 'stake.split': {
        const rent = created.get(data.into);
        demand(rent !== undefined, 'create-account', 'It splits into an account that it did not create.');
        demand(
          (rent ?? 0n) <= MOST_RENT_LAMPORTS,
          'create-account',
          'It puts more than the rent into an account that is split off.',
        );
        rentLamports += rent ?? 0n;
        if (!own.has(data.stakeAccount)) atRiskLamports += rent ?? 0n;
        created.delete(data.into);
        break;
      }
      case 'stake.merge':
        idle.delete(data.from);
        break;
      case 'stake.moveLamports': {
        const left = idle.get(data.stakeAccount);
        if (left === undefined) break;
        // Its rent stays, so that the address can be created only once.
        const rent = left - data.lamports;
        demand(
          rent > 0n && rent <= MOST_RENT_LAMPORTS,
          'create-account',
          'It leaves something other than the rent in a new account.',
        );
        idle.delete(data.stakeAccount);
        stakedLamports -= rent;
        rentLamports += rent;
        break;
      }
      case 'stake.withdraw': {
        demand(
          data.withdrawAuthority === wallet,
          'withdraw-authority',
          'Another authority than the fee payer withdraws.',
        );
        demand(data.recipient === wallet, 'recipient', 'The lamports go to somebody else.');
        demand(data.custodian === null || data.custodian === wallet, 'lockup', 'Another custodian signs.');
        const back = (lent.get(data.stakeAccount) ?? 0n) - data.lamports;
        if (lent.has(data.stakeAccount)) lent.set(data.stakeAccount, back > 0n ? back : 0n);
        withdrawnLamports += data.lamports;
        break;
      }
      case 'stake.authorize':
        demand(
          data.authority === wallet && data.newAuthority === wallet && data.role === 'staker',
          'stake-authority',
          'It gives an authority away.',
        );
        demand(data.custodian === null, 'lockup', 'A custodian signs.');
        break;
    }
  }
  const { stakeAccount } = expected;
  demand(
    stakeAccount === undefined ||
      touched.every((one) => one === stakeAccount || signers.some((key) => key === one)),
    'stake-account',
    'It concerns other stake accounts too.',
  );
  demand(created.size === 0, 'create-account', 'It creates an account and makes no stake of it.');
  demand(idle.size === 0, 'create-account', 'It makes a stake account and neither delegates nor merges it.');
  // Somebody else may be able to empty an account that the wallet is the stake authority of.
  demand(
    [...lent.values()].every((lamports) => lamports === 0n),
    'recipient',
    'It transfers lamports without taking them back in the same transaction.',
  );
  checkActivations(checking);
  return {
    // Several accounts have no one address to stand for them.
    ...known('stakeAccount', stakeAccount),
    ...known(
      'voteAccount',
      fields.some(({ type }) => type === 'stake.delegateStake') ? expected.voteAccount : null,
    ),
    ...known('recipient', withdrawnLamports > 0n ? wallet : null),
    effects: { stakedLamports, rentLamports, withdrawnLamports, atRiskLamports },
    signers,
  };
};

const isStakeInstruction = ({ type }: InstructionFields): boolean => type.startsWith('stake.');

/** What only a rearrangement holds: an instruction of none of the other kinds, or more of them than each takes. */
const isRearrangement = (fields: readonly InstructionFields[]): boolean => {
  const stake = fields.filter(isStakeInstruction).map(({ type }) => type);
  const isNew = stake.length === 2 && stake[0] === 'stake.initialize' && stake[1] === 'stake.delegateStake';
  const isSingle =
    stake.length === 1 &&
    !['stake.split', 'stake.merge', 'stake.moveStake', 'stake.moveLamports', 'stake.authorize'].includes(
      stake[0]!,
    );
  return stake.length > 0 && !isNew && !isSingle;
};

const effectsText = ({ effects }: Pick<Found, 'effects'>): string => {
  if (effects === undefined) return '';
  const { stakedLamports, rentLamports, withdrawnLamports, atRiskLamports } = effects;
  return [
    withdrawnLamports > 0n ? ` It withdraws ${formatSol(withdrawnLamports)} SOL to the wallet.` : '',
    stakedLamports > 0n ? ` It stakes ${formatSol(stakedLamports)} SOL of the wallet.` : '',
    rentLamports > 0n
      ? ` ${formatSol(rentLamports)} SOL of rent goes into new accounts and comes back when they are closed.`
      : '',
    atRiskLamports > 0n
      ? ` At most ${formatSol(atRiskLamports)} SOL of it is lost, should somebody else hold what is split.`
      : '',
  ].join('');
};

/** The kinds of transactions that this service makes. A new kind begins here: what does not know it yet fails to compile. */
export const kinds = {
  stake: {
    layout: ['system.createAccount', 'stake.initialize', 'stake.delegateStake', 'memo'],
    matches: (fields) =>
      has('stake.delegateStake')(fields) &&
      (has('system.createAccount')(fields) || has('stake.initialize')(fields)),
    check: checkStake,
    fields: [
      'stakeAccount',
      'stakeAuthority',
      'withdrawAuthority',
      'lockup',
      'validator',
      'fundedBy',
      'amount',
    ],
    moves: 'into stake accounts',
    verb: 'Stake',
    pastTense: 'Staked',
    noun: 'Stake',
    description:
      'Moves SOL from your wallet into a new stake account and delegates it to this service’s validator. Only your wallet can unstake and withdraw it. No derivative token is issued.',
    afterwards: 'It becomes active and starts earning at the next epoch boundary at the earliest.',
    verdict: (found) =>
      `It stakes ${solOf(found)} SOL of the wallet in ${found.stakeAccount} with ${found.voteAccount}, under the wallet's own authority, and does nothing else.`,
  },
  unstake: {
    layout: ['stake.deactivate', 'memo'],
    matches: has('stake.deactivate'),
    check: checkUnstake,
    fields: ['stakeAccount', 'stakeAuthority'],
    amountFrom: 'delegation',
    moves: null,
    verb: 'Unstake',
    pastTense: 'Unstaked',
    noun: 'Unstake',
    description:
      "Deactivates one of your stake accounts. It still earns this epoch's reward. You can withdraw it once it has cooled down, usually when the epoch ends, or at once if it was not active yet.",
    afterwards:
      'You can withdraw it once it has cooled down, usually when the epoch ends, or at once if it was not active yet.',
    verdict: ({ stakeAccount }) =>
      `It deactivates the wallet's stake ${stakeAccount}, and does nothing else.`,
  },
  withdraw: {
    layout: ['stake.withdraw', 'memo'],
    matches: has('stake.withdraw'),
    check: checkWithdraw,
    fields: ['stakeAccount', 'withdrawAuthority', 'recipient', 'amount'],
    recipient: ({ recipient }, wallet) => recipient ?? wallet,
    moves: 'out of stake accounts',
    verb: 'Withdraw',
    pastTense: 'Withdrawn',
    noun: 'Withdrawal',
    description:
      'Returns SOL from one of your stake accounts to your wallet. Without an amount it withdraws everything and closes the account.',
    afterwards: 'The SOL is in your wallet.',
    verdict: (found) =>
      `It withdraws ${solOf(found)} SOL from ${found.stakeAccount} to ${found.recipient}, and does nothing else.`,
  },
  restake: {
    layout: ['stake.delegateStake', 'memo'],
    matches: has('stake.delegateStake'),
    check: checkRestake,
    fields: ['stakeAccount', 'stakeAuthority', 'validator'],
    amountFrom: 'delegation',
    moves: null,
    verb: 'Stake again',
    pastTense: 'Staked again',
    noun: 'Restake',
    description:
      'Delegates one of your inactive stake accounts to this service’s validator again, with everything it holds beyond its rent. Only the fee leaves your wallet, and you keep sole control of the account.',
    afterwards:
      'Stake that was unstaked in this epoch stays staked and misses no reward. Other stake becomes active and starts earning at the next epoch boundary at the earliest.',
    verdict: ({ stakeAccount, voteAccount }) =>
      `It delegates the wallet's stake account ${stakeAccount} to ${voteAccount}, and does nothing else.`,
  },
  donate: {
    layout: ['system.transfer', 'memo'],
    matches: (fields, expected) => fields.some(isDonation(expected)),
    check: checkDonate,
    fields: ['fundedBy', 'recipient', 'amount'],
    recipient: ({ donationAddress }) => donationAddress,
    moves: 'to the donation address',
    verb: 'Donate',
    pastTense: 'Donated',
    noun: 'Donation',
    description: 'Sends SOL to the donation address of this service. Donations are voluntary.',
    afterwards: 'Thank you.',
    verdict: (found) => `It donates ${solOf(found)} SOL to ${found.recipient}, and does nothing else.`,
  },
  rearrange: {
    layout: [
      'system.createAccount',
      'system.transfer',
      'stake.initialize',
      'stake.delegateStake',
      'stake.deactivate',
      'stake.split',
      'stake.merge',
      'stake.moveStake',
      'stake.moveLamports',
      'stake.withdraw',
      'stake.authorize',
      'memo',
    ],
    isFree: true,
    matches: isRearrangement,
    check: checkRearrange,
    fields: ['stakeAuthority', 'withdrawAuthority', 'lockup', 'validator', 'fundedBy', 'recipient'],
    recipient: (_, wallet) => wallet,
    moves: null,
    verb: 'Change stake',
    pastTense: 'Changed',
    noun: 'Stake change',
    description:
      'Splits, merges, moves, deactivates, delegates or withdraws stake of your wallet, several steps in one transaction. All of it stays yours.',
    afterwards: 'The accounts are as planned.',
    verdict: (found) =>
      `It changes the wallet's own stake${found.voteAccount === undefined ? '' : `, delegates to ${found.voteAccount}`}, and gives nobody else anything.${effectsText(found)}`,
  },
} as const satisfies Record<string, KindRecord>;

/** Confirms a landed transaction for people. An undo and a restake are the same bytes, so their sentence is true of both. */
export const confirmationOf = (kind: keyof typeof kinds): string =>
  `${kind === 'restake' ? 'Delegation' : kinds[kind].noun} confirmed. ${kinds[kind].afterwards}`;

/** A kind of transaction that this service makes. */
export type TransactionKind = keyof typeof kinds;

/** A kind that moves lamports. */
export type MovingKind = {
  [Kind in TransactionKind]: (typeof kinds)[Kind]['moves'] extends null ? never : Kind;
}[TransactionKind];

/** What any transaction can be: one of ours, or something else. */
export type RecognisedKind = TransactionKind | 'other';

/** All kinds, in the order of the record. */
export const transactionKinds = Object.keys(kinds) as [TransactionKind, ...TransactionKind[]];

/** Those of them that move lamports. */
export const movingKinds = transactionKinds.filter((kind): kind is MovingKind => kinds[kind].moves !== null);

/** The record of a kind, for readers that do not depend on which one it is. */
export const kindRecord = (kind: TransactionKind): KindRecord => kinds[kind];

/** The kind that a transaction is meant as; `other` where it is none of them. */
export const kindOf = (fields: readonly InstructionFields[], expected: Expectations): RecognisedKind =>
  isRearrangement(fields)
    ? 'rearrange'
    : (transactionKinds.find((kind) => kindRecord(kind).matches(fields, expected)) ?? 'other');

const programOf = (type: OwnInstruction): Address =>
  type === 'memo' ? MEMO_PROGRAM : type.startsWith('stake.') ? STAKE_PROGRAM : SYSTEM_PROGRAM;

/** The program of each instruction of a kind, in order. */
export const programsOf = (kind: TransactionKind): readonly Address[] => kinds[kind].layout.map(programOf);

/** True where the Stake program must run it, which it refuses while epoch rewards are distributed. */
export const usesStakeProgram = (kind: TransactionKind): boolean => programsOf(kind).includes(STAKE_PROGRAM);

const holds =
  (type: OwnInstruction) =>
  (kind: TransactionKind): boolean =>
    kindRecord(kind).layout.includes(type);

/** True where it always makes a new stake account. */
export const createsAccount = (kind: TransactionKind): boolean =>
  kindRecord(kind).isFree !== true && holds('system.createAccount')(kind);

/** True where it delegates to a validator. */
export const delegates = holds('stake.delegateStake');

/** A value for each kind. */
export const perKind = <T>(value: (kind: TransactionKind) => T): Record<TransactionKind, T> =>
  Object.fromEntries(transactionKinds.map((kind) => [kind, value(kind)])) as Record<TransactionKind, T>;
