// The overview, most important first: alarms, whether service and validator work, the stake and its flows,
// income and rank, and then the details by change and by epoch.
import { LoadError } from '../../api/load-error.tsx';
import { Link } from '../../shell/link.tsx';
import { count, timeText } from '../../text/format-figures.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { AsOfNotice, RecordsNotice } from '../as-of-notice.tsx';
import { ChangesTable } from '../changes-table.tsx';
import styles from '../console.module.css';
import { countWithNoun } from '../count-with-noun.ts';
import { ActiveAlarms } from '../health/active-alarms.tsx';
import { lastSeenText, menuCounts, validatorFacts } from '../health/health-words.ts';
import type { StakeFlows } from '../operator-api.ts';
import { useHealth, useStake } from '../operator-reads.ts';
import { type ShortColumn, ShortTable } from '../short-table.tsx';
import { CommissionCard } from './commission-card.tsx';
import { type FlowRow, flowRows } from './flow-rows.ts';
import { FlowChart, StakeChart } from './stake-charts.tsx';
import { OwnEpochsCard, OwnValidatorCards } from './validator-cards.tsx';

const AtItsEnd = ({ row, amount }: { row: FlowRow; amount: number | null | undefined }) =>
  row.isRunning ? 'After its end' : <Sol amount={amount ?? null} />;

const columns: readonly ShortColumn<FlowRow>[] = [
  { key: 'epoch', title: 'Epoch', cell: ({ epoch }) => `Epoch ${epoch}`, place: 'subject' },
  {
    key: 'stake',
    title: 'Stake',
    cell: ({ activeSol = null }) => <Sol amount={activeSol} />,
    numeric: true,
    place: 'figure',
  },
  {
    key: 'in',
    title: 'Joined at its end',
    cell: (row) => <AtItsEnd row={row} amount={row.inSol} />,
    numeric: true,
  },
  {
    key: 'out',
    title: 'Left at its end',
    cell: (row) => <AtItsEnd row={row} amount={row.outSol} />,
    numeric: true,
  },
  {
    key: 'rewards',
    title: 'Rewards',
    cell: ({ rewardsSol = null }) => <Sol amount={rewardsSol} />,
    numeric: true,
    isEmpty: ({ rewardsSol = null }) => rewardsSol === null,
  },
  {
    key: 'stakers',
    title: 'Stakers',
    cell: ({ delegators }) => (delegators === undefined ? '–' : count(delegators)),
    numeric: true,
  },
  {
    key: 'accounts',
    title: 'Accounts',
    cell: ({ accounts }) => (accounts === undefined ? '–' : count(accounts)),
    numeric: true,
  },
];

const ServiceStat = () => {
  const health = useHealth().data;
  const faults = health && (menuCounts(health)['/health'] ?? 0);
  const isWorking = faults === 0 && health?.alarms.length === 0;
  return (
    <Stat
      label="Service"
      value={
        health &&
        (isWorking ? (
          'Working'
        ) : (
          <span className={health.alarms.length > 0 ? styles.bad : undefined}>
            {health.alarms.length > 0 ? countWithNoun(health.alarms.length, 'alarm') : 'Needs attention'}
          </span>
        ))
      }
      note={
        faults === undefined || faults === 0 ? (
          isWorking ? (
            'every part'
          ) : undefined
        ) : (
          <Link href="/health">{countWithNoun(faults, 'part')} to look at</Link>
        )
      }
    />
  );
};

/** Renders the validator's voting state and commission, from the health data that every section reads. */
const ValidatorStats = () => {
  const health = useHealth().data;
  const { voting, votedLast, slotsSinceVote, commissionPct, asOf } = validatorFacts(health);
  return (
    <>
      <Stat
        label="Validator"
        value={
          health && (
            <span className={voting === false ? styles.bad : undefined}>
              {voting === null ? 'Unknown' : voting ? 'Voting' : 'Not voting'}
            </span>
          )
        }
        note={
          asOf !== null
            ? lastSeenText({ votedLast, asOf })
            : slotsSinceVote !== null
              ? `last vote ${countWithNoun(slotsSinceVote, 'slot')} ago`
              : undefined
        }
      />
      <Stat
        label="Commission"
        value={
          health && (
            <span className={commissionPct === 100 ? styles.bad : undefined}>
              {commissionPct === null ? 'Unknown' : `${commissionPct}%`}
            </span>
          )
        }
        note={asOf === null ? 'on inflation rewards' : `as of ${timeText(asOf)}`}
      />
    </>
  );
};

const Figures = ({ stake }: { stake: StakeFlows | undefined }) => {
  const timing = stake?.epochTiming;
  return (
    <Card>
      <div className={styles.fours}>
        <Stats>
          <ServiceStat />
          <ValidatorStats />
          <Stat
            label={timing ? `Epoch ${timing.currentEpoch} ends` : 'Epoch ends'}
            value={timing && timeText(timing.estimatedEpochEnd)}
            note="estimated"
          />
          <Stat
            label="Active stake"
            value={stake && <Sol amount={stake.activeSol} />}
            note={
              stake && (
                <>
                  <Sol amount={stake.nextActiveSol} /> next epoch, before rewards
                </>
              )
            }
          />
          <Stat
            label="Joining"
            value={stake && <Sol amount={stake.activatingSol} />}
            note="active next epoch"
          />
          <Stat
            label="Leaving"
            value={stake && <Sol amount={stake.deactivatingSol} />}
            note="unless undone"
          />
          <Stat
            label="Stakers"
            value={stake && count(stake.delegators)}
            note={stake && countWithNoun(stake.accounts, 'account')}
          />
        </Stats>
      </div>
    </Card>
  );
};

/** `/` */
export const OverviewSection = () => {
  const stake = useStake();
  const { data } = stake;
  return (
    <div className={styles.stack}>
      <ViewHeading title="Overview" />
      <ActiveAlarms />
      <LoadError resource={stake} what="The stake" />
      <AsOfNotice asOf={data?.asOf} />
      <RecordsNotice asOf={data?.recordsAsOf} />
      {data?.isSettled === false && (
        <Notice>A new epoch has just begun. The figures are being read again.</Notice>
      )}
      {stake.error !== undefined && data === undefined ? null : <Figures stake={data} />}
      {stake.pending && <SkeletonText lines={6} what="Loading the stake" />}
      {data !== undefined && (
        <div className={styles.pair}>
          <StakeChart epochs={data.epochs} />
          <FlowChart epochs={data.epochs} />
        </div>
      )}
      {!stake.pending && <OwnValidatorCards currentEpoch={data?.epochTiming.currentEpoch} />}
      {data !== undefined && (
        <>
          <CommissionCard activeSol={data.activeSol} />
          <Card title="Newest changes" flush>
            {data.changes.length === 0 ? (
              <Empty icon="clock" title="No changes yet">
                Stakers who join or leave appear here.
              </Empty>
            ) : (
              <ChangesTable caption="Newest changes" changes={data.changes} />
            )}
          </Card>
          <Card title="Stake by epoch" flush>
            {data.epochs.length === 0 ? (
              <Empty icon="clock" title="No epoch yet">
                The first one is recorded within a minute.
              </Empty>
            ) : (
              <ShortTable
                caption="Stake by epoch"
                columns={columns}
                rows={flowRows(data.epochs, data.epochTiming.currentEpoch)}
                rowKey={({ epoch }) => String(epoch)}
              />
            )}
          </Card>
        </>
      )}
      {!stake.pending && <OwnEpochsCard currentEpoch={data?.epochTiming.currentEpoch} />}
    </div>
  );
};
