// Shows figures in a tooltip inside the chart: at the pointer, the finger, or the point selected by keyboard.
import type UPlot from 'uplot';
import styles from './chart.module.css';

interface TooltipWords {
  /** Name of the chart. */
  readonly caption: () => string;
  readonly formatX: (x: number) => string;
  readonly formatY: (y: number) => string;
  readonly labels: readonly string[];
  /** Returns the value of a series at a point. The point may be drawn at another position. */
  readonly valueAt: (series: number, point: number) => number | null | undefined;
}

// Handles touch, because uPlot follows only the mouse. A finger shows the figures below it; moving it sideways
// does not scroll, and a touch elsewhere hides them.
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

/** Returns the point that a key moves to from point `at` of `count`. Undefined for other keys. */
const pointOf = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 })[key];

// Handles the keyboard: arrow keys show the figures of the next point, Home and End those of the first and the
// last. Screen readers announce the figures only in this case, because a mouse moves over many points.
const followKeys = (plot: UPlot, box: HTMLElement, signal: AbortSignal): void => {
  const { over } = plot;
  const show = (point: number): void => {
    const x = plot.data[0][Math.min(Math.max(point, 0), plot.data[0].length - 1)];
    if (x !== undefined) plot.setCursor({ left: plot.valToPos(x, 'x'), top: 0 });
  };
  over.tabIndex = 0;
  over.role = 'application';
  over.classList.add(styles.keys!);
  over.addEventListener(
    'focus',
    () => {
      if (!over.matches(':focus-visible')) return;
      box.ariaLive = 'polite';
      show(plot.data[0].length - 1);
    },
    { signal },
  );
  over.addEventListener(
    'blur',
    () => {
      box.ariaLive = null;
      plot.setCursor({ left: -10, top: -10 });
    },
    { signal },
  );
  over.addEventListener(
    'keydown',
    (event) => {
      const count = plot.data[0].length;
      const point = pointOf(event.key, plot.cursor.idx ?? count - 1, count);
      if (point === undefined) return;
      event.preventDefault();
      show(point);
    },
    { signal },
  );
};

/** Creates the uPlot plugin. */
export const tooltipPlugin = ({ caption, formatX, formatY, labels, valueAt }: TooltipWords): UPlot.Plugin => {
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
        followKeys(plot, box, leave.signal);
      },
      draw: ({ over }) => {
        over.ariaLabel = caption();
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
