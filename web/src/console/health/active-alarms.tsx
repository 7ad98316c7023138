// Lists active alarms with the time at which each problem began. The list also works while the store is
// unavailable.
import { dateText } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import styles from '../console.module.css';
import { useHealth } from '../operator-reads.ts';

const TONES = { info: 'info', warning: 'warn', critical: 'bad' } as const;

/** Renders nothing if there are no alarms. */
export const ActiveAlarms = () => {
  const alarms = useHealth().data?.alarms ?? [];
  if (alarms.length === 0) return null;
  return (
    <Card title="Alarms">
      <ul className={styles.parts}>
        {alarms.map(({ alarm, level, title, since, runbook }) => (
          <li key={alarm}>
            <div className={styles.part}>
              <strong>{title}</strong>
              <span>
                Since {dateText(since)}. <a href={runbook}>What to do</a>
              </span>
            </div>
            <Pill tone={TONES[level]} dot>
              {level === 'critical' ? 'Critical' : 'Warning'}
            </Pill>
          </li>
        ))}
      </ul>
    </Card>
  );
};
