// Checks a transaction of a key that is only the stake authority of another wallet's stake. Invariant: it
// contains no instruction that takes lamports out of a stake account or changes an authority, whatever accounts
// it names.
import type { Address } from '@solana/kit';
import type { InstructionFields } from '../instruction-types.ts';
import type { KindCheckInput } from './kind-record.ts';
import type { RecognizedKind } from './transaction-kinds.ts';

const KINDS: readonly RecognizedKind[] = ['unstake', 'restake', 'rearrange'];

/**
 * Instructions for which the Stake program requires the stake authority alone. A split, merge or move leaves
 * the withdraw authority unchanged, because the program requires equal authorities. A new account can only
 * become part of a split.
 */
const WITHOUT_OWNER: readonly InstructionFields['type'][] = [
  'system.createAccount',
  'stake.delegateStake',
  'stake.deactivate',
  'stake.split',
  'stake.merge',
  'stake.moveStake',
  'stake.moveLamports',
  'memo',
];

/** Returns true for a Stake, System or memo instruction, unlike a wallet's guard or a compute budget. */
const isOwn = ({ type }: InstructionFields): boolean =>
  type.startsWith('stake.') || type.startsWith('system.') || type === 'memo';

/** Checks the instructions, and the owner of every known account. */
export const checkStakeAuthorityOnly = (
  kind: RecognizedKind,
  {
    fields,
    owner,
    expected: { accounts = new Map() },
    demand,
  }: Pick<KindCheckInput, 'fields' | 'expected' | 'demand'> & { readonly owner: Address },
): void => {
  demand(
    KINDS.includes(kind) && fields.filter(isOwn).every(({ type }) => WITHOUT_OWNER.includes(type)),
    'NEEDS_OWNER',
    { owner },
  );
  for (const [account, { withdrawer = owner }] of accounts)
    demand(withdrawer === owner, 'WITHDRAWABLE_BY_OTHER', { account });
};
