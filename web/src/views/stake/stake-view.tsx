// The Stake view: choose an amount, see its projected rewards, review, sign, and watch it become active.
import { lazy, Suspense, useEffect, useState } from 'react';
import type { SimulateStakeAnswer } from '../../../../client/generated/stake-operations.ts';
import type { ValidatorProfileAnswer } from '../../../../client/generated/validator-operations.ts';
import { useBalance, useEpoch, useValidator } from '../../api/shared-reads.ts';
import { useFlowShown } from '../../flow/flow-shown.ts';
import { flow, useFlow } from '../../flow/use-page-flow.ts';
import { amountOfQuery } from '../../share/share-links.ts';
import { brand } from '../../state/document-brand.ts';
import { solField } from '../../text/format-figures.ts';
import { criticalNotice, Notices } from '../../ui/notice-list.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { type AmountLimits, limitsOf, readAmount } from './amount-limits.ts';
import { Assurances } from './assurances.tsx';
import { Hero } from './hero.tsx';
import { ProjectionCard, type ProjectionHorizon } from './projection-card.tsx';
import { StakeForm } from './stake-form.tsx';
import styles from './stake-view.module.css';
import { useProjection } from './use-projection.ts';

// Loaded with the first transaction, like the review.
const FlowCard = lazy(async () => ({ default: (await import('../../flow/flow-card.tsx')).FlowCard }));

// Loaded if the operator has questions.
const FaqCard = lazy(async () => ({ default: (await import('./faq-card.tsx')).FaqCard }));

const FIRST_AMOUNT = '10';
const STAKES = ['stake'] as const;

/**
 * Returns the amount as text: the link's amount, or otherwise one that fits the wallet, until the user
 * changes it.
 */
const useAmount = (available: bigint | null): [string, (text: string) => void] => {
  const [linked] = useState(() => amountOfQuery(location.search));
  const [text, setText] = useState(linked ?? FIRST_AMOUNT);
  const [touched, setTouched] = useState(linked !== null);
  useEffect(() => {
    if (touched || available === null || available === 0n) return;
    const first = BigInt(FIRST_AMOUNT) * 1_000_000_000n;
    setText(solField(available < first ? available : first));
  }, [touched, available]);
  return [
    text,
    (next) => {
      setTouched(true);
      setText(next);
    },
  ];
};

/** Returns the amount to project: one that the cluster would accept, or null. */
const projectable = (lamports: bigint | null, limits: AmountLimits | null): bigint | null =>
  lamports === null ||
  lamports > 9_000_000n * 1_000_000_000n ||
  (limits !== null && lamports <= limits.rentLamports)
    ? null
    : lamports;

type Projected = Pick<SimulateStakeAnswer, 'notices' | '_meta'>;
type Profile = Pick<ValidatorProfileAnswer, 'apy' | '_meta'>;

/**
 * Returns the notices of the newer response. Everything that the view says about the validator must come from
 * the same read, or the view could contradict itself.
 */
const currentNotices = (projected: Projected | undefined, profile: Profile | undefined) =>
  projected !== undefined && (profile === undefined || projected._meta.timestamp > profile._meta.timestamp)
    ? projected.notices
    : (profile?.apy.notices ?? []);

/** `/` */
export const StakeView = () => {
  const { walletAddress } = useWallet();
  const balance = useBalance(walletAddress);
  const { data: validator } = useValidator();
  const { data: epoch } = useEpoch();
  const [horizon, setHorizon] = useState<ProjectionHorizon>('365');
  const available = balance.data === undefined ? null : balance.data.availableToStake;
  const [text, setText] = useAmount(available === null ? null : BigInt(Math.round(available * 1e9)));
  const { lamports } = readAmount(text, null);
  const [known, setKnown] = useState<Parameters<typeof limitsOf>[1]>();
  const limits = limitsOf(balance.data, known);
  const amountLamports = projectable(lamports, limits);
  const projection = useProjection(amountLamports, Number(horizon), epoch?.currentEpoch);
  useEffect(() => setKnown((before) => projection.data ?? before), [projection.data]);
  const notices = currentNotices(projection.data, validator);
  const critical = criticalNotice(notices);
  const shown = notices.filter(
    ({ severity, code }) => severity === 'critical' || code === 'COMMISSION_RAISED',
  );
  const isShown = useFlowShown(STAKES);
  const { step, record } = useFlow();
  // A result from before this view was opened takes one line, and the form is shown again.
  const [earlier] = useState(() => flow.state.get().record?.idempotencyKey);
  const isEarlier = isShown && step === 'confirmed' && record?.idempotencyKey === earlier;
  const flowShown = isShown && !isEarlier;
  return (
    <>
      <Hero notices={notices} />
      {shown.length > 0 && (
        <div className={styles.critical}>
          <Notices notices={shown} />
        </div>
      )}
      {isEarlier && (
        <div className={styles.critical}>
          <Suspense fallback={null}>
            <FlowCard folds />
          </Suspense>
        </div>
      )}
      <div className={styles.grid}>
        {flowShown ? (
          <Suspense>
            <FlowCard />
          </Suspense>
        ) : (
          <StakeForm text={text} onText={setText} limits={limits} isDiscouraged={critical !== undefined} />
        )}
        <ProjectionCard
          amountLamports={amountLamports}
          horizon={horizon}
          onHorizon={setHorizon}
          projection={projection}
        />
      </div>
      <Assurances />
      {brand.faq.length > 0 && (
        <Suspense fallback={null}>
          <FaqCard />
        </Suspense>
      )}
    </>
  );
};
