// Draws the page's icons: one stroke, 24 units, in the text color, hidden from screen readers.
const PATHS = {
  logo: 'M7 5v14M17 5v14M7 12h10',
  stake: 'M12 3 4 7.5v9L12 21l8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  portfolio: 'M4 19V9m5.5 10V5m5.5 14v-7m5 7V8',
  validator: 'M5 4h14v6H5zM5 14h14v6H5zM8.5 7h.01M8.5 17h.01',
  developers: 'm8 8-4 4 4 4m8-8 4 4-4 4m-2.5-11-3 14',
  wallet: 'M4 7.5A2.5 2.5 0 0 1 6.5 5H18v3M4 7.5v9A2.5 2.5 0 0 0 6.5 19H20V8H6a2 2 0 0 1-2-.5zM16 13.5h.01',
  sun: 'M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m11.4 0 1.4 1.4M4.9 4.9l1.4 1.4M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zm0 0a9 9 0 0 1 0 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.7h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-10v5m0-8h.01',
  external: 'M14 5h5v5m0-5-8.5 8.5M18 14v5H5V6h5',
  refresh: 'M20 11a8 8 0 0 0-14.3-4L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.3 4l1.7-2m0 5v-5h-5',
  shield: 'M12 3 4.5 6v5.5c0 4.6 3.1 7.9 7.5 9.5 4.4-1.6 7.5-4.9 7.5-9.5V6zM8.7 12l2.3 2.3 4.3-4.5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3.2 2',
  arrow: 'M5 12h14m-5.5-5.5L19 12l-5.5 5.5',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  drop: 'M12 3.5s6 6.6 6 11a6 6 0 0 1-12 0c0-4.4 6-11 6-11z',
  skip: 'm5 5 9 7-9 7zM18.5 5v14',
  key: 'M14.5 9.5a4.5 4.5 0 1 1-4.4-4.5 4.5 4.5 0 0 1 4.4 4.5zM13.5 12.5 20 19m-2.8-2.8 2-2',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
} as const;

export type IconName = keyof typeof PATHS;

/** `size` is in CSS pixels, default 18. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);
