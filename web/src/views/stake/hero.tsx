// The head of the Stake view: the validator's face, name and key figures. Its height is the same before and
// after the data arrives, so that the form below does not move.
import type { ReactNode } from 'react';
import { stakeWith } from '../../../../src/http/pages/brand/page-brand.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useValidator } from '../../api/shared-reads.ts';
import { Link } from '../../shell/link.tsx';
import { brand } from '../../state/brand.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { count, percent } from '../../text/format-figures.ts';
import { VotingPill } from '../../ui/pill.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { ValidatorIcon } from '../../ui/validator-icon.tsx';
import styles from './hero.module.css';

/** `value` undefined: still loading. */
const Figure = ({ label, value }: { label: string; value: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value ?? <Skeleton width="5ch" />}</dd>
  </div>
);

/** The only `h1` of the view. */
export const Hero = () => {
  const validator = useValidator();
  const { data } = validator;
  const name = foreignText(data?.name ?? brand.name);
  const apy = data?.apy;
  const isWithoutTips = apy !== undefined && apy.totalApy === null && apy.atLeastApy !== null;
  return (
    <div className={styles.hero}>
      <div className={styles.who}>
        <span className={styles.face}>
          {data !== undefined && <ValidatorIcon voteAccount={data.voteAccount} size={64} />}
        </span>
        <h1 tabIndex={-1} title={name}>
          {stakeWith(name)}
        </h1>
      </div>
      <p className={styles.line}>
        {data === undefined ? (
          validator.error === undefined && <Skeleton width="16rem" />
        ) : (
          <>
            <VotingPill delinquent={data.performance.delinquent} />
            <span className={styles.place}>
              {data.commission === null ? 'Commission unknown' : `${percent(data.commission, 0)} commission`}
              {data.location !== null && ` · ${foreignText(data.location)}`}
            </span>
            <Link href="/validator">Details</Link>
          </>
        )}
      </p>
      <LoadError resource={validator} what="The validator" />
      <dl className={styles.figures}>
        <Figure
          label={isWithoutTips ? 'APY without tips' : 'APY'}
          value={apy && percent(apy.totalApy ?? apy.atLeastApy)}
        />
        <Figure label="Stakers" value={data && count(data.delegatorCount)} />
        <Figure label="SOL staked" value={data && <Sol amount={data.activatedStakeSol} unit={false} />} />
      </dl>
      <p className={styles.promise}>
        {brand.hero === null ? 'Earn rewards. Your wallet stays in control.' : foreignText(brand.hero)}
      </p>
    </div>
  );
};
