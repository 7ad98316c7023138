// Shows the next step that the service recommends: one line, with a button if there is something to do.
import type { RecommendedAction } from '../../../../../client/generated/stake-operations.ts';
import { formatSol } from '../../../../../src/domain/lamports.ts';
import { isUnderWay } from '../../../flow/flow-state.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { FaucetButton } from '../../../sandbox/faucet-button.tsx';
import { LinkButton } from '../../../shell/link.tsx';
import { isSandbox } from '../../../state/cluster.ts';
import { exactSol, lamportsOf, solShort } from '../../../text/format-figures.ts';
import { sentencesText } from '../../../text/notice-text.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../../words/en/portfolio/overview.ts';
import styles from './next-step.module.css';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

const TITLES = {
  STAKE: 'stepStake',
  FUND: 'stepFund',
  HOLD: 'stepHold',
  WAIT: 'stepWait',
  WITHDRAW: 'stepWithdraw',
} as const satisfies Record<RecommendedAction['action'], keyof typeof portfolioOverviewEnglish>;

const ICONS = {
  STAKE: 'stake',
  FUND: 'drop',
  HOLD: 'check',
  WAIT: 'clock',
  WITHDRAW: 'wallet',
} as const satisfies Record<RecommendedAction['action'], IconName>;

interface NextStepProps {
  readonly recommended: RecommendedAction;
  readonly walletAddress: string;
  /** True to withdraw the whole account, false to withdraw only the SOL that is not staked. */
  readonly isWhole: boolean;
  /** True if there is a critical notice about the validator. */
  readonly isFailing: boolean;
  /** Event that ends a wait; null if unknown. */
  readonly waitWords: string | null;
}

const FundStep = ({ walletAddress }: { walletAddress: string }) =>
  isSandbox ? (
    <FaucetButton walletAddress={walletAddress} kind="primary" />
  ) : (
    <span className={styles.fund}>
      {say('sendSol')}
      <CopyButton text={walletAddress} what={say('walletAddress')} label={say('copyAddress')} />
    </span>
  );

const WithdrawStep = ({ recommended, walletAddress, isWhole }: NextStepProps) => {
  const { step } = useFlow();
  const lamports = lamportsOf(recommended.amountSol ?? 0);
  const { stakeAccountAddress, all = false } = recommended;
  const begin = (): void => {
    if (all) void flow.begin({ kind: 'rearrange', goal: 'withdraw-all', walletAddress });
    else if (stakeAccountAddress !== undefined)
      void flow.begin({
        kind: 'withdraw',
        walletAddress,
        stakeAccountAddress,
        ...(isWhole ? {} : { amountLamports: lamports }),
      });
  };
  if (!all && stakeAccountAddress === undefined) return null;
  return (
    <Button
      kind="primary"
      icon="wallet"
      busy={isUnderWay(step)}
      title={`${exactSol(lamports)} SOL`}
      onClick={begin}
    >
      {say(all ? 'withdrawAllAmount' : 'withdrawAmount', { amount: solShort(lamports) })}
    </Button>
  );
};

const StepButton = (props: NextStepProps) => {
  const { recommended, walletAddress } = props;
  switch (recommended.action) {
    case 'STAKE':
      return (
        <LinkButton
          href={
            recommended.amountSol === undefined
              ? '/'
              : `/?amount=${formatSol(lamportsOf(recommended.amountSol))}`
          }
          kind="quiet"
          size="s"
        >
          {say('stakeIt')}
        </LinkButton>
      );
    case 'FUND':
      return <FundStep walletAddress={walletAddress} />;
    case 'WITHDRAW':
      return <WithdrawStep {...props} />;
    case 'WAIT':
      return (
        <ButtonLink kind="quiet" size="s" icon="clock" href={`/calendar/${walletAddress}.ics`} download="">
          {say('addToCalendar')}
        </ButtonLink>
      );
    case 'HOLD':
      return props.isFailing ? (
        <LinkButton href="/validator" size="s" icon="validator">
          {say('viewValidator')}
        </LinkButton>
      ) : null;
  }
};

/**
 * Offers to move inactive stake from other validators to this one. `lamports` is the amount of that stake,
 * excluding rent.
 */
export const MoveStep = ({
  walletAddress,
  accounts,
  lamports,
}: {
  walletAddress: string;
  accounts: readonly string[];
  lamports: bigint;
}) => {
  const { step } = useFlow();
  return (
    <section
      className={classNames(styles.step, styles.ready)}
      aria-label={say('nextStep')}
      data-recommended="MOVE"
    >
      <Icon name="stake" size={18} />
      <div className={styles.text}>
        <h3>{say('stepMove', { amount: solShort(lamports) })}</h3>
        <p>{say('moveReady')}</p>
      </div>
      <Button
        kind="primary"
        icon="stake"
        busy={isUnderWay(step)}
        onClick={() => void flow.begin({ kind: 'rearrange', goal: 'migrate', walletAddress, accounts })}
      >
        {say('stakeItHere')}
      </Button>
    </section>
  );
};

/** If `canAct` is false, only text is shown. */
export const NextStep = ({ canAct, ...props }: NextStepProps & { canAct: boolean }) => {
  const { action, amountSol, reasonSentences } = props.recommended;
  const isFailing = action === 'HOLD' && props.isFailing;
  const isControlled = reasonSentences.some(({ code }) => code === 'STAKES_CONTROLLED_BY_OTHERS');
  return (
    <section
      className={classNames(styles.step, action === 'WITHDRAW' && styles.ready)}
      aria-label={say('nextStep')}
      data-recommended={action}
    >
      <Icon name={isFailing || isControlled ? 'warning' : ICONS[action]} size={18} />
      <div className={styles.text}>
        <h3>{say(isControlled ? 'stepTakeBack' : isFailing ? 'stepWaitBeforeStaking' : TITLES[action])}</h3>
        <p>
          {action === 'STAKE' && amountSol !== undefined
            ? say('idleInWallet', { amount: solShort(amountSol) })
            : // The button shows the amount.
              canAct && action === 'WITHDRAW' && (props.isWhole || props.recommended.all)
              ? say('inactiveReady')
              : (props.waitWords ?? sentencesText(reasonSentences))}
        </p>
      </div>
      {canAct && <StepButton {...props} />}
    </section>
  );
};
