// Says in plain words what a checked transaction does, from its bytes alone, never from what was asked for.
import type { TransactionVerdict } from '../../../client/staking/verify-transaction.ts';
import { foreignText } from '../ui/foreign-text.ts';
import { shortAddress, solText } from '../ui/format.ts';

/** One effect: a short name and what it means for the person. */
export interface Effect {
  readonly title: string;
  readonly detail: string;
}

const verdictOf = ({ fields }: TransactionVerdict, field: string) =>
  fields.find((verdict) => verdict.field === field);

/** Whom a field names; the bytes may name several, or nobody. */
const found = (checked: TransactionVerdict, field: string): string =>
  verdictOf(checked, field)?.found?.split(', ').map(shortAddress).join(' and ') ?? 'nobody';

const areRight = (checked: TransactionVerdict, ...fields: readonly string[]): boolean =>
  fields.every((field) => verdictOf(checked, field)?.ok === true);

const amountOf = ({ recognised: { lamports } }: TransactionVerdict): string =>
  lamports === undefined ? 'SOL' : `${solText(lamports)} SOL`;

const accountOf = ({ recognised: { stakeAccount } }: TransactionVerdict): string =>
  stakeAccount === undefined ? 'an account' : shortAddress(stakeAccount);

/** The effects in the order in which they happen. `validator` is its name, where one is known. */
export const plainWords = (checked: TransactionVerdict, validator: string | null): readonly Effect[] => {
  const account = accountOf(checked);
  switch (checked.recognised.kind) {
    case 'stake':
      return [
        {
          title: `Move ${amountOf(checked)} into a new stake account`,
          detail: `${account}, created for this stake alone.`,
        },
        areRight(checked, 'feePayer', 'stakeAuthority', 'withdrawAuthority', 'lockup')
          ? {
              title: 'Keep it yours',
              detail: `Only ${found(checked, 'withdrawAuthority')}, your wallet, can unstake or withdraw it. No lockup, no custodian.`,
            }
          : {
              title: 'Let others have a say in it',
              detail: `${found(checked, 'withdrawAuthority')} could withdraw it, and ${found(checked, 'stakeAuthority')} unstake it. Lockup: ${verdictOf(checked, 'lockup')?.found ?? 'none'}.`,
            },
        {
          title: `Delegate it to ${areRight(checked, 'validator') ? (validator === null ? 'the validator' : foreignText(validator)) : 'another validator'}`,
          detail: `Vote account ${found(checked, 'validator')}. The validator cannot move or spend it.`,
        },
      ];
    case 'unstake':
      return [
        {
          title: `Stop delegating ${account}`,
          detail:
            'It cools down until the epoch ends at the earliest, then all of it can be withdrawn. Nothing leaves the account now.',
        },
      ];
    case 'withdraw':
      return [
        {
          title: `Withdraw ${amountOf(checked)} from ${account}`,
          detail: `To ${found(checked, 'recipient')}, ${areRight(checked, 'feePayer', 'recipient') ? '' : 'not '}your wallet.`,
        },
      ];
    default:
      return [{ title: 'Something else', detail: 'This is not a transaction of this service.' }];
  }
};
