// The validator: picture, description, addresses, and commissions.
import type { ValidatorProfileAnswer } from '../../../../client/generated/validator-operations.ts';
import { useIsAway } from '../../api/service-connection.ts';
import { placeName } from '../../text/country-name.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VotingPill } from '../../ui/pill.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Row, Rows, Stat, Stats } from '../../ui/stat.tsx';
import { ValidatorIcon } from '../../ui/validator-icon.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { knownBps, knownCount, knownPercent, unknownText, webUrl } from './format-known-figures.ts';
import styles from './validator-view.module.css';

const { say } = defineWords('validator', validatorEnglish);

/** Header of the view: the validator's name, its key figures and its commissions. */
export const ProfileCard = ({ data }: { data: ValidatorProfileAnswer }) => {
  const website = webUrl(data.website);
  const isAway = useIsAway();
  return (
    <Card className={styles.profile}>
      <div className={styles.who}>
        <ValidatorIcon voteAccount={data.voteAccount} size={72} />
        <div>
          <div className={styles.nameLine}>
            <h2>{foreignText(data.name ?? say('unnamed'))}</h2>
            <VotingPill delinquent={isAway ? null : data.performance.delinquent} />
          </div>
          {data.description !== null && <p className={styles.description}>{foreignText(data.description)}</p>}
          {website !== null && (
            <a href={website} target="_blank" rel="noopener noreferrer" className={styles.website}>
              {website.replace(/^https?:\/\//, '').replace(/\/$/, '')} <Icon name="external" size={13} />
              <span className="visually-hidden"> {say('opensNewTab')}</span>
            </a>
          )}
        </div>
      </div>
      <Stats>
        <Stat
          label={say('activeStake')}
          value={data.activatedStakeSol === null ? unknownText() : <Sol amount={data.activatedStakeSol} />}
        />
        <Stat label={say('delegators')} value={knownCount(data.delegatorCount)} />
        <Stat
          label={say('rankByStake')}
          value={data.rank === null ? unknownText() : `#${data.rank}`}
          note={data.rank === null ? undefined : say('largestFirst')}
        />
        <Stat
          label={say('rankByCredits')}
          value={data.voteCreditRank === null ? unknownText() : `#${data.voteCreditRank.rank}`}
          note={
            data.voteCreditRank === null ? undefined : say('ofTotal', { total: data.voteCreditRank.total })
          }
        />
      </Stats>
      <div className={styles.twoColumns}>
        <Rows>
          <Row label={say('commissionOnRewards')}>{knownPercent(data.commission, 0)}</Row>
          <Row label={say('commissionOnTips')}>{knownBps(data.jitoCommissionBps)}</Row>
          <Row label={say('commissionOnBlocks')}>{knownPercent(data.blockRevenueCommission, 0)}</Row>
        </Rows>
        <Rows>
          <Row label={say('voteAccountLabel')}>
            <Address address={data.voteAccount} what={say('voteAccount')} />
          </Row>
          <Row label={say('identityLabel')}>
            {data.identity === null ? (
              unknownText()
            ) : (
              <Address address={data.identity} what={say('identity')} />
            )}
          </Row>
          <Row label={say('locationAndSoftware')}>
            {foreignText(data.location === null ? unknownText() : placeName(data.location))} ·{' '}
            {foreignText(data.software ?? unknownText())}
          </Row>
        </Rows>
      </div>
    </Card>
  );
};
