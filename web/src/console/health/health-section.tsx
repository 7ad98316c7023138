// The health section: alarms, and the health of the service's parts, each with a dot, a name and a sentence.
import { LoadError } from '../../api/load-error.tsx';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import styles from '../console.module.css';
import { useHealth } from '../operator-reads.ts';
import { ActiveAlarms } from './active-alarms.tsx';
import { type HealthLine, healthLines, networkLine } from './health-words.ts';

const TONES = {
  busy: 'warn',
  ok: 'good',
  degraded: 'warn',
  down: 'bad',
  unknown: 'neutral',
  off: 'neutral',
} as const;
const WORDS = {
  busy: 'Busy',
  ok: 'OK',
  degraded: 'Needs attention',
  down: 'Not working',
  unknown: 'Unknown',
  off: 'Off',
} as const;

const Line = ({ line }: { line: HealthLine }) => (
  <>
    <div className={styles.part}>
      <strong>{line.name}</strong>
      <span>{line.text}</span>
    </div>
    <Pill tone={TONES[line.state]} dot>
      {WORDS[line.state]}
    </Pill>
  </>
);

/** `/health` */
export const HealthSection = () => {
  const health = useHealth();
  return (
    <div className={styles.stack}>
      <ViewHeading title="Health" />
      <LoadError resource={health} what="The health" />
      <ActiveAlarms />
      {health.pending && <SkeletonText what="Loading the health" />}
      {health.data !== undefined && (
        <Card>
          <ul className={styles.parts}>
            {health.data.dependencies.map((dependency) => {
              const { line, nodes } = healthLines(dependency);
              return (
                <li key={dependency.name}>
                  <Line line={line} />
                  {nodes.length > 0 && (
                    <ul aria-label="RPC nodes">
                      {nodes.map((node) => (
                        <li key={node.name}>
                          <Line line={node} />
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              );
            })}
            <li>
              <Line line={networkLine(health.data)} />
            </li>
          </ul>
        </Card>
      )}
    </div>
  );
};
