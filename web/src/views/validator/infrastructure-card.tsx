// The validator's machine as described by its operator.
import { LoadError } from '../../api/load-error.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { UNKNOWN } from './known-figures.ts';
import { useInfrastructure } from './validator-reads.ts';
import styles from './validator-view.module.css';
import { Warnings } from './warnings.tsx';

const placeOf = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(', ') || UNKNOWN;

/** Shown as reported, without verification. */
export const InfrastructureCard = () => {
  const infrastructure = useInfrastructure();
  const { data } = infrastructure;
  return (
    <Card title="Infrastructure" note="Reported by the operator">
      <LoadError resource={infrastructure} what="The infrastructure" />
      {infrastructure.pending && <SkeletonText lines={5} what="Loading the infrastructure" />}
      {data !== undefined && (
        <div className={classNames(styles.stack, styles.specification)}>
          <Rows>
            <Row label="Processor">{data.cpu ?? UNKNOWN}</Row>
            <Row label="Memory">{data.memory ?? UNKNOWN}</Row>
            <Row label="Storage">{data.storage ?? UNKNOWN}</Row>
            <Row label="Network">{data.network ?? UNKNOWN}</Row>
            <Row label="Software">{data.software ?? UNKNOWN}</Row>
            <Row label="Data centre">
              {data.datacenter === null
                ? UNKNOWN
                : placeOf([data.datacenter.name, data.datacenter.city, data.datacenter.country])}
            </Row>
            <Row label="Standby machine">
              {data.redundancy === null || data.redundancy.standby === null
                ? UNKNOWN
                : data.redundancy.standby
                  ? 'Yes'
                  : 'No'}
            </Row>
          </Rows>
          {data.redundancy?.description && <p className={styles.muted}>{data.redundancy.description}</p>}
          {data.datacenter !== null && data.datacenter.certifications.length > 0 && (
            <p className={styles.pills}>
              {data.datacenter.certifications.map((name) => (
                <Pill key={name}>{name}</Pill>
              ))}
            </p>
          )}
          <Warnings warnings={data.warnings} />
        </div>
      )}
    </Card>
  );
};
