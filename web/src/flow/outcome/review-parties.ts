// Names the wallet, the stake account and the validator that a transaction involves.
import type { Prepared } from '../../../../client/staking/prepared-transaction.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';
import { reviewEnglish } from '../../words/en/flow/review.ts';
import { planFacts } from '../plan-facts.ts';

const { say } = defineWords('outcome', outcomeEnglish);
const review = defineWords('review', reviewEnglish);

interface Party {
  readonly label: string;
  readonly text: string;
  readonly address: string;
}

/** The account and the validator, as far as the page knows them. */
interface KnownParties {
  /** The validator to which the account is delegated; undefined if unknown. */
  readonly voteAccount: string | undefined;
  readonly validator: { readonly voteAccount: string; readonly name: string | null } | undefined;
}

/** Changes that withdraw SOL, or that involve stake with any validator. */
const WITHOUT_VALIDATOR: readonly unknown[] = ['withdraw', 'withdraw-all', 'sweep', 'rescue'];

/** Returns the account if there is only one. If there are several, the plan's table names them. */
const accountOf = ({ record, built: { plan } }: Pick<Prepared, 'record' | 'built'>): string | undefined => {
  if (!plan) return record.stakeAccountAddress;
  const existing = planFacts(plan).changed.filter(({ before }) => before !== null);
  return existing.length === 1 ? existing[0]!.stakeAccountAddress : undefined;
};

/** Lists the parties in the order in which the SOL of a stake moves. */
export const reviewParties = (
  prepared: Pick<Prepared, 'record' | 'built' | 'voteAccount'>,
  known: KnownParties,
): readonly Party[] => {
  const { kind, change, walletAddress, stakeAuthority } = prepared.record;
  const account = accountOf(prepared);
  const voteAccount = known.voteAccount ?? prepared.voteAccount;
  const name = known.validator?.voteAccount === voteAccount ? known.validator.name : null;
  const short = shortAddress(voteAccount);
  return [
    { label: say('yourWallet'), text: shortAddress(walletAddress), address: walletAddress },
    ...(account === undefined
      ? []
      : [
          {
            label: say(kind === 'stake' ? 'newAccount' : 'account'),
            text: shortAddress(account),
            address: account,
          },
        ]),
    ...(stakeAuthority === undefined || stakeAuthority === walletAddress
      ? []
      : [{ label: review.say('stakeAuthority'), text: stakeAuthority, address: stakeAuthority }]),
    ...(WITHOUT_VALIDATOR.includes(change?.goal ?? kind)
      ? []
      : [
          {
            label: say('validator'),
            text: name === null ? short : `${foreignText(name)} (${short})`,
            address: voteAccount,
          },
        ]),
  ];
};
