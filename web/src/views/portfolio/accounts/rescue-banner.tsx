// The banner over stakes whose stake authority is somebody else: what that means, and the button that takes them back.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { isUnderWay } from '../../../flow/flow-types.ts';
import { flow, useFlow } from '../../../flow/use-page-flow.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './accounts-card.module.css';

/** Nothing where the wallet controls all that it owns. */
export const RescueBanner = ({
  accounts,
  walletAddress,
  rewardsActive,
}: {
  accounts: readonly Pick<StakeAccount, 'address' | 'role' | 'stakeAuthority'>[];
  walletAddress: string;
  rewardsActive: boolean;
}) => {
  const { step, record } = useFlow();
  const given = accounts.filter(
    ({ role, stakeAuthority }) => role === 'owner' && stakeAuthority !== walletAddress,
  );
  if (given.length === 0) return null;
  const underWay = isUnderWay(step);
  const isOurs = underWay && record?.change?.goal === 'rescue';
  const what = given.length === 1 ? 'one of your stakes' : `${given.length} of your stakes`;
  return (
    <div className={styles.banner}>
      <Notice
        tone="bad"
        title={`Another address controls ${what}`}
        actions={
          <Button
            size="s"
            busy={isOurs}
            disabled={(underWay && !isOurs) || rewardsActive}
            onClick={() => void flow.begin({ kind: 'rearrange', goal: 'rescue', walletAddress })}
          >
            Take back
          </Button>
        }
      >
        It can unstake and split that stake, but not withdraw it. If you did not set this up, take it back:
        your wallet signs one change that is checked in your browser first.
      </Notice>
    </div>
  );
};
