// A banner for the time while another address controls stakes of the connected wallet: the risk, and how to
// recover the stakes.
import { isUnderWay } from '../flow/flow-state.ts';
import { flow, useFlow } from '../flow/use-page-flow.ts';
import { Button } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import { AlertBanner } from './alert-banner.tsx';
import type { ForeignControl } from './foreign-control.ts';
import { navigate } from './page-router.ts';

const { say } = defineWords('shell', shellEnglish);

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
      title={say('foreignControl', { count: stakes })}
      actions={
        <>
          <Button
            kind="primary"
            busy={isOurs}
            disabled={(underWay && !isOurs) || rewardsActive}
            title={rewardsActive ? say('rewardsPaid') : undefined}
            onClick={takeBack}
          >
            {say('takeBack')}
          </Button>
          <Button kind="quiet" onClick={accept}>
            {say('setUpByMe')}
          </Button>
        </>
      }
    >
      {say('foreignControlText', { count: stakes })}
    </AlertBanner>
  );
};
