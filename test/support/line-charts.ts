// Draws time series as an SVG of small line charts, readable on light and dark pages.

/** A chart of lines that share an axis starting at 0. */
export interface LineChart {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly (readonly [number, number])[];
  }[];
}

const COLOURS = ['#2563eb', '#d97706', '#059669'];
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [420, 190, 52, 34, 12, 24];

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the next round number above `value`: 1, 2 or 5 times a power of ten. */
const ceiling = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value)!;
};

const chartSvg = (
  { title, unit, lines }: LineChart,
  { x, y, lastX, marks }: { x: number; y: number; lastX: number; marks: readonly number[] },
): string => {
  const top = ceiling(Math.max(0, ...lines.flatMap(({ points }) => points.map(([, value]) => value))));
  const [innerWidth, innerHeight] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
  const px = (at: number) => (LEFT + (at / Math.max(lastX, 1e-9)) * innerWidth).toFixed(1);
  const py = (value: number) => (TOP + (1 - value / top) * innerHeight).toFixed(1);
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(top * share)}" y2="${py(top * share)}" stroke="#888" stroke-opacity=".3"/>` +
      `<text x="${LEFT - 6}" y="${Number(py(top * share)) + 4}" text-anchor="end">${Number((top * share).toPrecision(3))}</text>`,
  );
  const times = [0, 0.5, 1].map(
    (share) =>
      `<text x="${px(lastX * share)}" y="${HEIGHT - 8}" text-anchor="${['start', 'middle', 'end'][share * 2]}">${Number((lastX * share).toFixed(1))} min</text>`,
  );
  const marked = marks.map(
    (at) =>
      `<line x1="${px(at)}" x2="${px(at)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#888" stroke-opacity=".25"/>`,
  );
  const drawn = lines.map(
    ({ points }, at) =>
      `<polyline fill="none" stroke="${COLOURS[at]}" stroke-width="1.5" points="${points.map(([when, value]) => `${px(when)},${py(value)}`).join(' ')}"/>`,
  );
  const names = lines.map(
    ({ name }, at) =>
      `<text x="${WIDTH - RIGHT - (lines.length - 1 - at) * 90}" y="14" text-anchor="end" fill="${COLOURS[at]}">${escapeXml(name)}</text>`,
  );
  return `<g transform="translate(${x},${y})"><text x="4" y="14" font-weight="600">${escapeXml(title)}, ${escapeXml(unit)}</text>${[...grid, ...times, ...marked, ...drawn, ...names].join('')}</g>`;
};

/** Draws charts in two columns, with minutes on the x axis. `marks` are minutes with a vertical line. */
export const lineChartsSvg = (
  charts: readonly LineChart[],
  { title, marks = [] }: { readonly title: string; readonly marks?: readonly number[] },
): string => {
  const rows = Math.ceil(charts.length / 2);
  const lastX = Math.max(
    0,
    ...charts.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(([at]) => at))),
  );
  const drawn = charts.map((chart, at) =>
    chartSvg(chart, { x: (at % 2) * (WIDTH + 20), y: Math.floor(at / 2) * (HEIGHT + 14), lastX, marks }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH + 20} ${rows * (HEIGHT + 14)}" font-family="system-ui, sans-serif" font-size="11" fill="#777"><title>${escapeXml(title)}</title>${drawn.join('\n')}</svg>\n`;
};
