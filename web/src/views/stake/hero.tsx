// The header of the Stake view: the validator's picture, name and key figures. Its height is the same before
// and after the data arrives, so the form below does not move.
import type { ReactNode } from 'react';
import type { Notice } from '../../../../client/generated/shared-types.ts';
import { nameWithoutStake } from '../../../../src/http/pages/brand/page-brand.ts';
import { LoadError } from '../../api/load-error.tsx';
import { useIsAway } from '../../api/service-connection.ts';
import { useValidator } from '../../api/shared-reads.ts';
import { Link } from '../../shell/link.tsx';
import { brand } from '../../state/document-brand.ts';
import { placeName } from '../../text/country-name.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { count, percent, yearlyYield } from '../../text/format-figures.ts';
import { VotingPill } from '../../ui/pill.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sol } from '../../ui/sol.tsx';
import { ValidatorIcon } from '../../ui/validator-icon.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeEnglish } from '../../words/en/stake.ts';
import styles from './hero.module.css';

const { say } = defineWords('stake', stakeEnglish);

/** `value` is undefined while loading. */
const Figure = ({ label, value }: { label: string; value: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value ?? <Skeleton width="5ch" />}</dd>
  </div>
);

const NOT_VOTING: readonly Notice['code'][] = ['VALIDATOR_DELINQUENT', 'VALIDATOR_CLOSED'];

/**
 * The only `h1` of the view. `notices` are those that the view shows: they decide whether the header says that
 * the validator votes.
 */
export const Hero = ({ notices }: { notices: readonly Notice[] }) => {
  const validator = useValidator();
  const { data } = validator;
  const name = foreignText(data?.name ?? brand.name);
  const apy = data?.apy;
  const isVoting = !notices.some(({ code }) => NOT_VOTING.includes(code));
  const isAway = useIsAway();
  const isVotingKnown = !isAway && (!isVoting || data?.performance.delinquent !== null);
  const isWithoutTips = apy !== undefined && apy.totalApy === null && apy.atLeastApy !== null;
  return (
    <div className={styles.hero}>
      <div className={styles.who}>
        <span className={styles.face}>
          {data !== undefined && <ValidatorIcon voteAccount={data.voteAccount} size={64} />}
        </span>
        <h1 tabIndex={-1} title={name}>
          {say('stakeWith', { name: nameWithoutStake(name) })}
        </h1>
      </div>
      <p className={styles.line}>
        {data === undefined ? (
          validator.error === undefined && <Skeleton width="16rem" />
        ) : (
          <>
            <VotingPill delinquent={isVotingKnown ? !isVoting : null} />
            <span className={styles.place}>
              {data.commission === null
                ? say('commissionUnknown')
                : say('commission', { percent: percent(data.commission, 0) })}
              {data.location !== null && ` · ${foreignText(placeName(data.location))}`}
            </span>
            <Link href="/validator">{say('details')}</Link>
          </>
        )}
      </p>
      <LoadError resource={validator} what={say('theValidator')} />
      <dl className={styles.figures}>
        <Figure
          label={say(isWithoutTips ? 'apyWithoutTips' : 'apy')}
          value={apy && (isWithoutTips ? percent(apy.atLeastApy) : yearlyYield(apy))}
        />
        <Figure label={say('stakers')} value={data && count(data.delegatorCount)} />
        <Figure
          label={say('activeStake')}
          value={data && <Sol amount={data.activatedStakeSol} unit={false} />}
        />
      </dl>
      <p className={styles.promise}>{brand.hero === null ? say('promise') : foreignText(brand.hero)}</p>
    </div>
  );
};
