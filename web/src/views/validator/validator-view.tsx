// The Validator view: the validator's identity, yield, performance and location, and how to verify this data.
import { LoadError } from '../../api/load-error.tsx';
import { useValidator } from '../../api/shared-reads.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { ApyCard } from './apy-card.tsx';
import { InfrastructureCard } from './infrastructure-card.tsx';
import { LinksCard } from './links-card.tsx';
import { LiveCard } from './live-card.tsx';
import { PeersCard } from './peers-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SignatureCard } from './signature-card.tsx';
import { SourceCard } from './source-card.tsx';
import { HistoryCard } from './validator-history-card.tsx';
import styles from './validator-view.module.css';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

/** `/validator` */
export const ValidatorView = () => {
  const validator = useValidator();
  const { data } = validator;
  const shownElsewhere = new Set([...(data?.apy.warnings ?? []), ...(data?.performance.warnings ?? [])]);
  return (
    <>
      <ViewHeading title={say('validator')}>{say('validatorLead')}</ViewHeading>
      <div className={styles.view}>
        <LoadError resource={validator} what={say('theValidator')} />
        {validator.pending && (
          <Card>
            <SkeletonText lines={6} what={say('loadingValidator')} />
          </Card>
        )}
        {data !== undefined && (
          <>
            <ProfileCard data={data} />
            {/* The cards below describe their own missing figures. */}
            <Warnings notices={data.notices.filter(({ text }) => !shownElsewhere.has(text))} />
            <div className={styles.pair}>
              <ApyCard apy={data.apy} />
              <LiveCard performance={data.performance} />
            </div>
          </>
        )}
        <HistoryCard />
        <div className={styles.pair}>
          <PeersCard />
          <InfrastructureCard />
        </div>
        <SourceCard />
        <div className={styles.pair}>
          <SignatureCard />
          <LinksCard />
        </div>
      </div>
    </>
  );
};
