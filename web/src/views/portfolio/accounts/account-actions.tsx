// Buttons for the possible actions on a stake account, and the reasons why others are not possible.
import { useState } from 'react';
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { requestOfParts } from '../../../../../client/staking/staking-request.ts';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { kindWords } from '../../../flow/kind-words.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { useNow } from '../../../state/use-now.ts';
import { atTimeText, durationText } from '../../../text/format-figures.ts';
import { sentencesText } from '../../../text/notice-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';
import { shellEnglish } from '../../../words/en/shell.ts';
import { KeepPartDialog } from '../dialogs/keep-part-dialog.tsx';
import { TopUpDialog } from '../dialogs/top-up-dialog.tsx';
import { canTopUp } from '../dialogs/top-up-limits.ts';
import { WithdrawDialog } from '../dialogs/withdraw-dialog.tsx';
import styles from './account-item.module.css';
import { isDust } from './idle-sol.ts';
import { canKeepStaked, possibleActions } from './possible-actions.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);
const shell = defineWords('shell', shellEnglish);

/** Properties of an account item. */
export interface AccountItemProps {
  readonly account: StakeAccount;
  readonly walletAddress: string;
  readonly validatorVoteAccount: string;
  readonly timing: { readonly timing: EpochTiming; readonly readAtMs: number } | null;
  /** True if the shown wallet is the connected one. */
  readonly canAct: boolean;
  readonly explorerUrl: string | undefined;
}

const isElsewhere = ({ voteAccount }: StakeAccount, validatorVoteAccount: string): boolean =>
  voteAccount !== null && voteAccount !== validatorVoteAccount;

/** Returns the possible actions, a sentence about them, and the end of a free undo (ISO; null without one). */
const actionsOf = (
  { account, timing, walletAddress, validatorVoteAccount }: AccountItemProps,
  nowMs: number,
) => {
  const at = timing?.timing;
  const rewardsActive = at?.epochRewardsActive ?? false;
  const secondsLeft = at === undefined ? null : (Date.parse(at.estimatedEpochEnd) - nowMs) / 1000;
  const { kinds, hint } = possibleActions(account, {
    rewardsActive,
    isElsewhere: isElsewhere(account, validatorVoteAccount),
    untilBoundary: secondsLeft === null ? null : durationText(secondsLeft),
  });
  const keepsUntil =
    at !== undefined && canKeepStaked(account, { walletAddress, validatorVoteAccount, timing: at })
      ? at.estimatedEpochEnd
      : null;
  return {
    kinds,
    rewardsActive,
    keepsUntil,
    hint:
      keepsUntil === null
        ? hint
        : say('keepStakedHint', { duration: durationText(secondsLeft!), time: atTimeText(keepsUntil) }),
  };
};

/** Says what is possible, or why nothing is. Viewers who are not the owner see the state in words. */
export const AccountHint = (props: AccountItemProps) => {
  // Updated every second, like the timeline below it.
  const { hint } = actionsOf(props, useNow(1_000));
  const text = props.canAct && hint !== null ? hint : sentencesText(props.account.stateDescriptionSentences);
  return <p className={styles.hint}>{text}</p>;
};

/** Offers a withdrawal that is hardly worth its fee. Shown among the details. */
export const DustAction = (props: AccountItemProps) => {
  const { account, canAct, walletAddress } = props;
  const { step } = useFlow();
  const [choosing, setChoosing] = useState(false);
  if (!canAct || !isDust(account) || !actionsOf(props, Date.now()).kinds.includes('withdraw')) return null;
  return (
    <>
      <Button kind="quiet" size="s" disabled={isUnderWay(step)} onClick={() => setChoosing(true)}>
        {kindWords.withdraw.button!.label(account)}
      </Button>
      {choosing && (
        <WithdrawDialog account={account} walletAddress={walletAddress} onClose={() => setChoosing(false)} />
      )}
    </>
  );
};

/**
 * Takes the stake authority back from another address, even if the user gave it to that address and no alert is shown.
 */
export const TakeBackAction = ({ account, canAct, walletAddress, timing }: AccountItemProps) => {
  const { step, record } = useFlow();
  const { address, role, stakeAuthority } = account;
  if (!canAct || role !== 'owner' || stakeAuthority === walletAddress) return null;
  const underWay = isUnderWay(step);
  const isOurs = underWay && record?.change?.goal === 'rescue' && record.stakeAccountAddress === address;
  return (
    <Button
      size="s"
      busy={isOurs}
      disabled={(underWay && !isOurs) || timing?.timing.epochRewardsActive}
      onClick={() =>
        void flow.begin({ kind: 'rearrange', goal: 'rescue', walletAddress, stakeAccountAddress: address })
      }
    >
      {shell.say('takeBack')}
    </Button>
  );
};

/** Renders nothing for viewers who are not the owner. */
export const AccountActions = (props: AccountItemProps) => {
  const { account, canAct, walletAddress, validatorVoteAccount } = props;
  const { step, record } = useFlow();
  const [choosing, setChoosing] = useState(false);
  const [adding, setAdding] = useState(false);
  const [keeping, setKeeping] = useState(false);
  if (!canAct) return null;
  const { kinds, rewardsActive, keepsUntil } = actionsOf(props, Date.now());
  const underWay = isUnderWay(step);
  const isOurs = underWay && (record === null || record.stakeAccountAddress === account.address);
  return (
    <div className={styles.actions}>
      {kinds.map((kind) => {
        const { button } = kindWords[kind];
        return (
          button &&
          !(kind === 'withdraw' && isDust(account)) && (
            <Button
              key={kind}
              size="s"
              kind={button.isPrimary(account) ? 'primary' : 'secondary'}
              busy={isOurs && record?.kind === kind}
              disabled={underWay && !isOurs}
              onClick={() =>
                button.opens === 'amount'
                  ? setChoosing(true)
                  : void flow.begin(
                      requestOfParts(kind, { walletAddress, stakeAccountAddress: account.address }),
                    )
              }
            >
              {kind === 'restake' && isElsewhere(account, validatorVoteAccount)
                ? say('stakeHere')
                : button.label(account)}
            </Button>
          )
        );
      })}
      {canTopUp(account, { walletAddress, validatorVoteAccount, rewardsActive }) && (
        <Button size="s" disabled={underWay} onClick={() => setAdding(true)}>
          {say('addSol')}
        </Button>
      )}
      {keepsUntil !== null && (
        <Button
          size="s"
          busy={isOurs && record?.kind === 'rearrange'}
          disabled={underWay && !isOurs}
          onClick={() =>
            void flow.begin({
              kind: 'rearrange',
              goal: 'undo',
              walletAddress,
              stakeAccountAddress: account.address,
            })
          }
        >
          {say('undoUnstake')}
        </Button>
      )}
      {keepsUntil !== null && account.activeSol > 0 && (
        <Button size="s" kind="quiet" disabled={underWay} onClick={() => setKeeping(true)}>
          {say('undoPart')}
        </Button>
      )}
      {keeping && (
        <KeepPartDialog account={account} walletAddress={walletAddress} onClose={() => setKeeping(false)} />
      )}
      {adding && (
        <TopUpDialog account={account} walletAddress={walletAddress} onClose={() => setAdding(false)} />
      )}
      {choosing && (
        <WithdrawDialog account={account} walletAddress={walletAddress} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
};
