// The validator: picture, description, addresses, and commissions.
import type { ValidatorProfileAnswer } from '../../../../client/generated/validator-operations.ts';
import { foreignText } from '../../text/foreign-text.ts';
import { Address } from '../../ui/address.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VotingPill } from '../../ui/pill.tsx';
import { Sol } from '../../ui/sol.tsx';
import { Row, Rows, Stat, Stats } from '../../ui/stat.tsx';
import { ValidatorIcon } from '../../ui/validator-icon.tsx';
import { knownBps, knownCount, knownPercent, UNKNOWN, webUrl } from './known-figures.ts';
import styles from './validator-view.module.css';

/** The head of the view. */
export const ProfileCard = ({ data }: { data: ValidatorProfileAnswer }) => {
  const website = webUrl(data.website);
  return (
    <Card className={styles.profile}>
      <div className={styles.who}>
        <ValidatorIcon voteAccount={data.voteAccount} size={72} />
        <div>
          <div className={styles.nameLine}>
            <h2>{foreignText(data.name ?? 'Unnamed validator')}</h2>
            <VotingPill delinquent={data.performance.delinquent} />
          </div>
          {data.description !== null && <p className={styles.description}>{foreignText(data.description)}</p>}
          {website !== null && (
            <a href={website} target="_blank" rel="noopener noreferrer" className={styles.website}>
              {website.replace(/^https?:\/\//, '').replace(/\/$/, '')} <Icon name="external" size={13} />
              <span className="visually-hidden"> (opens a new tab)</span>
            </a>
          )}
        </div>
      </div>
      <Stats>
        <Stat
          label="Active stake"
          value={data.activatedStakeSol === null ? UNKNOWN : <Sol amount={data.activatedStakeSol} />}
        />
        <Stat label="Delegators" value={knownCount(data.delegatorCount)} />
        <Stat label="Rank by stake" value={data.rank === null ? UNKNOWN : `#${data.rank}`} />
        <Stat
          label="Rank by vote credits"
          value={data.voteCreditRank === null ? UNKNOWN : `#${data.voteCreditRank.rank}`}
          note={data.voteCreditRank === null ? undefined : `of ${data.voteCreditRank.total}`}
        />
      </Stats>
      <div className={styles.twoColumns}>
        <Rows>
          <Row label="Commission on rewards">{knownPercent(data.commission, 0)}</Row>
          <Row label="Commission on tips">{knownBps(data.jitoCommissionBps)}</Row>
          <Row label="Commission on block revenue">{knownPercent(data.blockRevenueCommission, 0)}</Row>
        </Rows>
        <Rows>
          <Row label="Vote account">
            <Address address={data.voteAccount} what="vote account" />
          </Row>
          <Row label="Identity">
            {data.identity === null ? UNKNOWN : <Address address={data.identity} what="identity" />}
          </Row>
          <Row label="Location · software">
            {foreignText(data.location ?? UNKNOWN)} · {foreignText(data.software ?? UNKNOWN)}
          </Row>
        </Rows>
      </div>
    </Card>
  );
};
