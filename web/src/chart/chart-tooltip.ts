// Shows the figures at the pointer in a tooltip inside the chart.
import type UPlot from 'uplot';
import styles from './chart.module.css';

/** Formats of the figures. */
interface TooltipWords {
  readonly formatX: (x: number) => string;
  readonly formatY: (y: number) => string;
  readonly labels: readonly string[];
  /** Value of a series at a point; it may be drawn at another position. */
  readonly valueAt: (series: number, point: number) => number | null | undefined;
}

// uPlot follows the mouse only. A finger shows the figures below it; moving it sideways does not scroll, and a
// touch elsewhere hides them.
const followTouch = (plot: UPlot, signal: AbortSignal): void => {
  const { over } = plot;
  over.style.touchAction = 'pan-y';
  const show = ({ pointerType, clientX, clientY }: PointerEvent): void => {
    if (pointerType !== 'touch') return;
    const { left, top } = over.getBoundingClientRect();
    plot.setCursor({ left: clientX - left, top: clientY - top });
  };
  over.addEventListener('pointerdown', show, { signal });
  over.addEventListener('pointermove', show, { signal });
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!over.contains(target as Node)) plot.setCursor({ left: -10, top: -10 });
    },
    { signal },
  );
};

/** A uPlot plugin. */
export const tooltipPlugin = ({ formatX, formatY, labels, valueAt }: TooltipWords): UPlot.Plugin => {
  const box = document.createElement('div');
  box.className = styles.tooltip!;
  box.hidden = true;
  const line = (text: string, className: string | undefined): HTMLElement => {
    const element = document.createElement('div');
    element.textContent = text;
    if (className !== undefined) element.className = className;
    return element;
  };
  const leave = new AbortController();
  return {
    hooks: {
      init: (plot) => {
        plot.over.append(box);
        followTouch(plot, leave.signal);
      },
      destroy: () => leave.abort(),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor;
        if (idx === null || idx === undefined || left < 0) {
          box.hidden = true;
          return;
        }
        const figures = labels.flatMap((label, index) => {
          const value = valueAt(index, idx);
          return value === null || value === undefined
            ? []
            : [line(labels.length > 1 ? `${label}: ${formatY(value)}` : formatY(value), styles.figureText)];
        });
        box.replaceChildren(line(formatX(plot.data[0][idx]!), styles.when), ...figures);
        box.hidden = figures.length === 0;
        const end = left > plot.over.clientWidth / 2;
        box.style.left = end ? '' : `${left + 12}px`;
        box.style.right = end ? `${plot.over.clientWidth - left + 12}px` : '';
      },
    },
  };
};
