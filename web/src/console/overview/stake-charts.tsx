// Charts of the stake over epochs, and of the stake that joined and left at the end of each epoch.
import { useMemo } from 'react';
import { Chart } from '../../chart/chart.tsx';
import { epochTicks, rowsByEpoch } from '../../chart/epoch-ticks.ts';
import { solShort } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import type { StakeFlows } from '../operator-api.ts';

type Epochs = StakeFlows['epochs'];

/** Minimum span of an axis. Labels have three digits, so smaller ranges would repeat them. */
const LEAST_SPAN = 0.05;
/** Height of the overview's charts. */
export const CHART_HEIGHT = 220;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
/** Formatters for charts of SOL by epoch. */
export const epochFormats = {
  formatX: (epoch: number) => `Epoch ${epoch}`,
  formatY: (sol: number) => `${solShort(Number(sol.toFixed(9)))} SOL`,
  axisX: (epoch: number) => (Number.isInteger(epoch) ? String(epoch) : ''),
  axisY: (sol: number) => compact.format(Math.abs(sol)),
} as const;

/** Renders the chart of the active stake, which needs at least two epochs. */
export const StakeChart = ({ epochs }: { epochs: Epochs }) => {
  const { xs, series } = useMemo(() => {
    const { xs, rows } = rowsByEpoch(epochs);
    const values = rows.map((row) => row?.activeSol ?? null);
    return { xs, series: [{ label: 'Active stake', values, kind: 'step' }] as const };
  }, [epochs]);
  return (
    <Card title="Active stake" note="SOL by epoch">
      {xs.length < 2 ? (
        <Empty icon="clock" title="Only one epoch so far">
          The chart begins with the second one.
        </Empty>
      ) : (
        <Chart
          {...epochFormats}
          caption="Active stake by epoch"
          xs={xs}
          series={series}
          splitsX={epochTicks(xs)}
          fromZero={false}
          leastSpan={LEAST_SPAN}
          height={CHART_HEIGHT}
        />
      )}
    </Card>
  );
};

/** Stake that left is drawn below the axis. */
export const FlowChart = ({ epochs }: { epochs: Epochs }) => {
  const { xs, series, isEmpty } = useMemo(() => {
    const { xs, rows } = rowsByEpoch(epochs);
    const outSol = rows.map((row) => row?.outSol ?? null);
    return {
      xs,
      isEmpty: epochs.every(({ inSol, outSol }) => !inSol && !outSol),
      series: [
        {
          label: 'Joined',
          values: rows.map((row) => row?.inSol ?? null),
          tone: 'good',
          kind: 'bars',
        },
        {
          label: 'Left',
          values: outSol,
          drawn: outSol.map((sol) => sol && -sol),
          tone: 'warn',
          kind: 'bars',
        },
      ] as const,
    };
  }, [epochs]);
  return (
    <Card title="Joined and left" note="SOL at the end of each epoch">
      {isEmpty ? (
        <Empty icon="clock" title="No flows yet">
          No one has joined or left in the recorded epochs.
        </Empty>
      ) : (
        <Chart
          {...epochFormats}
          caption="Stake that joined and left at the end of each epoch"
          xs={xs}
          series={series}
          splitsX={epochTicks(xs)}
          height={CHART_HEIGHT}
        />
      )}
    </Card>
  );
};
