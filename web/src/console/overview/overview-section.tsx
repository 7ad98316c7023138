// The overview: the validator's stake (now, after the next boundary, by epoch, and its newest changes),
// income and rank.
import { LoadError } from '../../api/load-error.tsx';
import { count, timeText } from '../../text/format-figures.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ChangesTable } from '../changes-table.tsx';
import styles from '../console.module.css';
import { counted } from '../counted.ts';
import type { StakeFlows } from '../operator-api.ts';
import { useStake } from '../operator-reads.ts';
import { CommissionCard } from './commission-card.tsx';
import { OwnValidatorCards } from './own-validator.tsx';
import { FlowChart, StakeChart } from './stake-charts.tsx';

type Flow = StakeFlows['epochs'][number];

const columns: readonly Column<Flow>[] = [
  { key: 'epoch', title: 'Epoch', cell: ({ epoch }) => epoch, numeric: true },
  { key: 'stake', title: 'Stake', cell: ({ activeSol }) => <Sol amount={activeSol} />, numeric: true },
  { key: 'in', title: 'In at its end', cell: ({ inSol }) => <Sol amount={inSol} />, numeric: true },
  { key: 'out', title: 'Out at its end', cell: ({ outSol }) => <Sol amount={outSol} />, numeric: true },
  { key: 'rewards', title: 'Rewards', cell: ({ rewardsSol }) => <Sol amount={rewardsSol} />, numeric: true },
  { key: 'stakers', title: 'Stakers', cell: ({ delegators }) => count(delegators), numeric: true },
  { key: 'accounts', title: 'Accounts', cell: ({ accounts }) => count(accounts), numeric: true },
];

const Figures = ({ stake }: { stake: StakeFlows | undefined }) => {
  const timing = stake?.epochTiming;
  return (
    <Card>
      <Stats>
        <Stat label="Active stake" value={stake && <Sol amount={stake.activeSol} />} />
        <Stat
          label="Next epoch"
          value={stake && <Sol amount={stake.nextActiveSol} />}
          note="before rewards"
        />
        <Stat
          label="Joining"
          value={stake && <Sol amount={stake.activatingSol} />}
          note="active next epoch"
        />
        <Stat label="Leaving" value={stake && <Sol amount={stake.deactivatingSol} />} note="unless undone" />
        <Stat
          label="Stakers"
          value={stake && count(stake.delegators)}
          note={stake && counted(stake.accounts, 'account')}
        />
        <Stat
          label={timing ? `Epoch ${timing.currentEpoch} ends` : 'Epoch ends'}
          value={timing && timeText(timing.estimatedEpochEnd)}
          note="estimated"
        />
      </Stats>
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
      <LoadError resource={stake} what="The stake" />
      {data?.isSettled === false && (
        <Notice>A new epoch has just begun. The figures are being read again.</Notice>
      )}
      {stake.error !== undefined && data === undefined ? null : <Figures stake={data} />}
      {stake.pending && <SkeletonText lines={6} what="Loading the stake" />}
      {data !== undefined && (
        <>
          <div className={styles.pair}>
            <StakeChart epochs={data.epochs} />
            <FlowChart epochs={data.epochs} />
          </div>
          <OwnValidatorCards currentEpoch={data.epochTiming.currentEpoch} />
          <CommissionCard stake={data} />
          <Card title="By epoch" flush>
            {data.epochs.length === 0 ? (
              <Empty icon="clock" title="No epoch yet">
                The first one is recorded within a minute.
              </Empty>
            ) : (
              <Table
                caption="Stake by epoch"
                columns={columns}
                rows={data.epochs}
                rowKey={({ epoch }) => String(epoch)}
              />
            )}
          </Card>
          <Card title="Newest changes" flush>
            {data.changes.length === 0 ? (
              <Empty icon="clock" title="No changes yet">
                Stakers who join or leave appear here.
              </Empty>
            ) : (
              <ChangesTable caption="Newest changes" changes={data.changes} />
            )}
          </Card>
        </>
      )}
    </div>
  );
};
