// A chart over time or numbers: line, area or bars drawn by uPlot, with a caption and a table for screen
// readers.
import 'uplot/dist/uPlot.min.css';
import { type ReactNode, useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { defineWords } from '../words/define-words.ts';
import { chartEnglish } from '../words/en/chart.ts';
import styles from './chart.module.css';
import { type ChartTone, resolveColor, useThemeKey } from './chart-colors.ts';
import { tooltipPlugin } from './chart-tooltip.ts';
import { type ChartTable, SeriesTable } from './series-table.tsx';

const { say } = defineWords('chart', chartEnglish);

/** One series over the shared x values. Null leaves a gap. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tone?: ChartTone;
  /**
   * Two series of kind `edge`, the upper one first, enclose a shaded band. `step` is for values that hold for a
   * whole epoch: x values are epochs.
   */
  readonly kind?: 'line' | 'area' | 'bars' | 'edge' | 'step';
  /**
   * Drawing position if it differs from the value, e.g. the upper edge of a stacked bar. List the upper
   * series first.
   */
  readonly drawn?: readonly (number | null)[];
}

interface ChartProps {
  /** Description of the chart in one sentence, shown below it if `showCaption` is true. */
  readonly caption: string;
  readonly showCaption?: boolean;
  /** x values, ascending: Unix seconds if `time`, otherwise any numbers. */
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly time?: boolean;
  /** Height in CSS pixels. Default: 220. */
  readonly height?: number;
  readonly formatX: (x: number) => string;
  readonly formatY: (y: number) => string;
  /** Shorter format for the axis. Default: the format of the values. */
  readonly axisX?: (x: number) => string;
  readonly axisY?: (y: number) => string;
  /** Labels of the x axis; default: evenly spaced. */
  readonly splitsX?: readonly number[];
  /** True (the default) starts the range at 0. */
  readonly fromZero?: boolean;
  /** Minimum height of the range as a share of the highest value, so tiny changes look tiny. */
  readonly leastSpan?: number;
  /** Content to show over the chart, for example while there is no data. */
  readonly children?: ReactNode;
}

const tableOf = ({ xs, series, formatX, formatY }: ChartProps): ChartTable => ({
  columns: ['', ...series.map(({ label }) => label)],
  rows: xs.map((x, index) => [
    formatX(x),
    ...series.map(({ values }) => {
      const value = values[index];
      return value === null || value === undefined ? say('notKnown') : formatY(value);
    }),
  ]),
});

const MAX_POINTS = 40;

/** Draws each value from half an epoch before its epoch to half an epoch after it. */
const stepPaths: UPlot.Series.PathBuilder = (plot, index, from, to) => {
  const [xs, ys] = [plot.data[0], plot.data[index]!];
  const [stroke, fill] = [new Path2D(), new Path2D()];
  const bottom = plot.valToPos(plot.scales.y!.min!, 'y', true);
  for (let at = from; at <= to; at += 1) {
    const y = ys[at];
    if (y === null || y === undefined) continue;
    const [left, right] = [-0.5, 0.5].map((half) => plot.valToPos(xs[at]! + half, 'x', true)) as [
      number,
      number,
    ];
    const top = plot.valToPos(y, 'y', true);
    const follows = at > from && ys[at - 1] != null;
    if (follows) stroke.lineTo(left, top);
    else {
      stroke.moveTo(left, top);
      fill.moveTo(left, bottom);
    }
    fill.lineTo(left, top);
    fill.lineTo(right, top);
    stroke.lineTo(right, top);
    if (at === to || ys[at + 1] == null) fill.lineTo(right, bottom);
  }
  return { stroke, fill };
};

const seriesOptions = (
  { label, values, tone = 'accent', kind = 'area' }: ChartSeries,
  isStacked: boolean,
): UPlot.Series => {
  const stroke = resolveColor(tone);
  if (kind === 'bars')
    return {
      label,
      stroke,
      // Stacked bars must be opaque.
      fill: resolveColor(tone, isStacked ? 1 : 0.8),
      width: 0,
      paths: UPlot.paths.bars!({ size: [0.6, 44], radius: 0.25 }),
      points: { show: false },
    };
  return {
    label,
    stroke,
    width: kind === 'edge' ? 1 : 2,
    ...(kind === 'step' && { paths: stepPaths }),
    // Short lines show their points, so a single point is visible too.
    points: { show: kind === 'line' && values.length <= MAX_POINTS, size: 7, fill: stroke },
    ...(kind === 'area' || kind === 'step'
      ? {
          fill: (plot: UPlot) => {
            const { top, height } = plot.bbox;
            const fade = plot.ctx.createLinearGradient(0, top, 0, top + height);
            fade.addColorStop(0, resolveColor(tone, 0.28));
            fade.addColorStop(1, resolveColor(tone, 0.02));
            return fade;
          },
        }
      : {}),
  };
};

const bandsOf = (series: readonly ChartSeries[]): UPlot.Band[] => {
  const upper = series.findIndex(({ kind }) => kind === 'edge');
  // uPlot counts the x values as series 0, so series numbers are one higher.
  return upper === -1
    ? []
    : [{ series: [upper + 1, upper + 2], fill: resolveColor(series[upper]!.tone ?? 'accent', 0.16) }];
};

const optionsOf = (latest: () => ChartProps, width: number): UPlot.Options => {
  const { series, time = false, height = 220, formatX, formatY, axisX = formatX, axisY = formatY } = latest();
  const ink = resolveColor('ink-3');
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const isWide = series.some(({ kind }) => kind === 'bars' || kind === 'step');
  const isStacked = series.some(({ drawn }) => drawn !== undefined);
  return {
    width,
    height,
    // uPlot's rounding to whole pixels makes a smooth curve look wavy.
    pxAlign: 0,
    legend: { show: false },
    padding: [12, 16, 0, 0],
    cursor: {
      y: false,
      points: { size: 9, width: 2, fill: resolveColor('surface') },
      drag: { x: false, y: false },
    },
    scales: {
      x: {
        time,
        ...(isWide
          ? {
              range: (_plot: UPlot, low: number, high: number) => [low - 0.6, high + 0.6] as [number, number],
            }
          : {}),
      },
      y: {
        range: (_plot, low, high) => {
          const { fromZero, leastSpan = 0 } = latest();
          if (fromZero !== false) {
            const bottom = Math.min(0, low);
            return [bottom, high > bottom ? high + (high - bottom) * 0.06 : bottom + 1];
          }
          const span = Math.max(high - low, Math.abs(high) * leastSpan) || Math.abs(high) || 1;
          const middle = (low + high) / 2;
          const bottom = middle - span * 0.58;
          return [low >= 0 ? Math.max(0, bottom) : bottom, middle + span * 0.56];
        },
      },
    },
    axes: [
      {
        stroke: ink,
        font,
        size: 28,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        space: 64,
        // The formats are read on every draw, because they change together with the figures.
        ...(latest().splitsX === undefined ? {} : { splits: () => [...(latest().splitsX ?? [])] }),
        values: (_plot, ticks) => ticks.map((tick) => axisX(tick)),
      },
      {
        stroke: ink,
        font,
        gap: 6,
        size: (_plot, labels) => 14 + Math.max(0, ...(labels ?? []).map((label) => label.length)) * 6.2,
        grid: { stroke: resolveColor('line'), width: 1 },
        ticks: { show: false },
        // Even a low chart has two or three labels.
        space: Math.min(44, height / 5),
        values: (_plot, ticks) => ticks.map((tick) => axisY(tick)),
      },
    ],
    series: [{}, ...series.map((one) => seriesOptions(one, isStacked))],
    bands: bandsOf(series),
    plugins: [
      tooltipPlugin({
        caption: () => latest().caption,
        formatX,
        formatY,
        labels: series.map(({ label }) => label),
        valueAt: (index, at) => latest().series[index]?.values[at],
      }),
    ],
  };
};

const dataOf = ({ xs, series }: ChartProps): UPlot.AlignedData => [
  [...xs],
  ...series.map(({ values, drawn }) => [...(drawn ?? values)]),
];

/** Renders a chart. The first draw and the theme determine its style. New figures are drawn without flicker. */
export const Chart = (props: ChartProps) => {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const themeKey = useThemeKey();
  const shape = props.series.map(({ label, kind, tone }) => `${label} ${kind} ${tone}`).join('|');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the shape of the series determine the style
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = new UPlot(
      optionsOf(() => latest.current, element.clientWidth || 300),
      dataOf(latest.current),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && width !== made.width) made.setSize({ width, height: latest.current.height ?? 220 });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [themeKey, shape]);

  const { xs, series } = props;
  useEffect(() => {
    plot.current?.setData(dataOf({ ...latest.current, xs, series }));
  }, [xs, series]);

  return (
    <figure className={styles.figure}>
      <div ref={holder} className={styles.holder} style={{ minHeight: `${props.height ?? 220}px` }} />
      {props.children}
      <figcaption className={props.showCaption === true ? styles.caption : 'visually-hidden'}>
        {props.caption}
      </figcaption>
      <SeriesTable caption={props.caption} table={tableOf(props)} />
    </figure>
  );
};
