// The validator in one line: name, commission, and whether it votes.

import { LoadError } from '../../api/load-error.tsx';
import { useValidator } from '../../api/reads.ts';
import { Link } from '../../shell/link.tsx';
import { foreignText } from '../../text/foreign-text.ts';
import { percent } from '../../text/format-figures.ts';
import { VotingPill } from '../../ui/pill.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ValidatorIcon } from '../../ui/validator-icon.tsx';
import styles from './validator-line.module.css';

/** Links to the Validator view. */
export const ValidatorLine = () => {
  const validator = useValidator();
  const { data } = validator;
  if (data === undefined)
    return (
      <div className={styles.missing}>
        {validator.error === undefined ? (
          <Skeleton width="16rem" height="3.625rem" />
        ) : (
          <LoadError resource={validator} what="The validator" />
        )}
      </div>
    );
  return (
    <Link href="/validator" className={styles.line}>
      <ValidatorIcon voteAccount={data.voteAccount} size={40} />
      <span className={styles.text}>
        <strong>{foreignText(data.name ?? 'Validator')}</strong>
        <small>
          {data.commission === null ? 'Commission not known' : `Commission ${percent(data.commission, 0)}`}
          {data.location !== null && ` · ${foreignText(data.location)}`}
        </small>
      </span>
      <VotingPill delinquent={data.performance.delinquent} />
    </Link>
  );
};
