// Says in plain words what a checked transaction does, from its bytes alone, never from what was asked for.
import { shortAddress, solText } from '../ui/format.ts';
import type { Checked } from './check-transaction.ts';

/** One effect: a short name and what it means for the person. */
export interface Effect {
  readonly title: string;
  readonly detail: string;
}

const found = ({ fields }: Checked, field: string): string =>
  fields.find((verdict) => verdict.field === field)?.found ?? 'nobody';

const amountOf = ({ lamports }: Checked): string => (lamports === null ? 'SOL' : `${solText(lamports)} SOL`);

const accountOf = ({ stakeAccountAddress }: Checked): string =>
  stakeAccountAddress === null ? 'an account' : shortAddress(stakeAccountAddress);

/** The effects in the order in which they happen. `validator` is its name, where one is known. */
export const plainWords = (checked: Checked, validator: string | null): readonly Effect[] => {
  const account = accountOf(checked);
  switch (checked.kind) {
    case 'stake':
      return [
        {
          title: `Move ${amountOf(checked)} into a new stake account`,
          detail: `${account}, created for this stake alone.`,
        },
        {
          title: 'Keep it yours',
          detail: `Only ${shortAddress(found(checked, 'withdrawAuthority'))}, your wallet, can unstake or withdraw it. No lockup, no custodian.`,
        },
        {
          title: `Delegate it to ${validator ?? 'the validator'}`,
          detail: `Vote account ${shortAddress(found(checked, 'validator'))}. The validator cannot move or spend it.`,
        },
      ];
    case 'unstake':
      return [
        {
          title: `Stop delegating ${account}`,
          detail:
            'It cools down until the epoch ends, then all of it can be withdrawn. Nothing leaves the account now.',
        },
      ];
    case 'withdraw':
      return [
        {
          title: `Withdraw ${amountOf(checked)} from ${account}`,
          detail: `To ${shortAddress(found(checked, 'recipient'))}, your wallet.`,
        },
      ];
    default:
      return [{ title: 'Something else', detail: 'This is not a transaction of this service.' }];
  }
};
