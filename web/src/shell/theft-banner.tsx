// Shown while another address controls stakes of the connected wallet: the risk, and how to recover them.
import { isUnderWay } from '../flow/flow-state.ts';
import { flow, useFlow } from '../flow/use-page-flow.ts';
import { Button } from '../ui/controls/button.tsx';
import { AlertBanner } from './alert-banner.tsx';
import type { ForeignControl } from './foreign-control.ts';
import { navigate } from './router.ts';

export const TheftBanner = ({ control }: { control: ForeignControl }) => {
  const { step, record } = useFlow();
  const { walletAddress, stakes, rewardsActive, accept } = control;
  const underWay = isUnderWay(step);
  const isOurs = underWay && record?.change?.goal === 'rescue';
  const takeBack = (): void => {
    navigate('/portfolio');
    void flow.begin({ kind: 'rearrange', goal: 'rescue', walletAddress });
  };
  return (
    <AlertBanner
      tone="bad"
      title={`Another address controls ${stakes === 1 ? 'one of your stakes' : `${stakes} of your stakes`}`}
      actions={
        <>
          <Button
            kind="primary"
            busy={isOurs}
            disabled={(underWay && !isOurs) || rewardsActive}
            title={rewardsActive ? 'Rewards are being paid: possible again in a few seconds' : undefined}
            onClick={takeBack}
          >
            Take back
          </Button>
          <Button kind="quiet" onClick={accept}>
            I set this up
          </Button>
        </>
      }
    >
      It can unstake and split {stakes === 1 ? 'that stake' : 'those stakes'}, but not withdraw{' '}
      {stakes === 1 ? 'it' : 'them'}. If you did not set this up, take {stakes === 1 ? 'it' : 'them'} back:
      your wallet signs a change that is checked in your browser first.
    </AlertBanner>
  );
};
