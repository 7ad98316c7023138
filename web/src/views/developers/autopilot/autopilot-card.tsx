// The autopilot policy of the connected wallet: set, shown, paused and ended by signing a text.
import { useState } from 'react';
import { shortAddress } from '../../../text/format-figures.ts';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import styles from '../developers-view.module.css';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicy } from './policy-reads.ts';

const StatePill = ({ walletAddress }: { walletAddress: string }) => {
  const policy = usePolicy(walletAddress).data?.policy;
  return policy ? (
    <Pill tone={policy.paused ? 'warn' : 'good'} dot>
      {policy.paused ? 'Paused' : 'On'}
    </Pill>
  ) : null;
};

/** Loaded on demand, because most wallets have no policy. */
export const AutopilotCard = () => {
  const { walletAddress } = useWallet();
  const [asked, setAsked] = useState<string | null>(null);
  const shown = walletAddress !== null && asked === walletAddress ? walletAddress : null;
  return (
    <Card
      title="Autopilot"
      note="Keep a set amount liquid and get offers to stake the rest"
      actions={shown && <StatePill walletAddress={shown} />}
    >
      <div className={styles.stack}>
        <p className={styles.lead}>
          Your receiver gets an unsigned stake transaction at most once per epoch. Nothing happens until you
          verify, sign and submit it. You set a policy by signing a text that lists every figure.
        </p>
        {walletAddress === null && (
          <p className={styles.muted}>Connect a wallet to view or set its policy.</p>
        )}
        {walletAddress !== null && shown === null && (
          <div>
            <Button size="s" onClick={() => setAsked(walletAddress)}>
              Show the policy of {shortAddress(walletAddress)}
            </Button>
          </div>
        )}
        {shown !== null && <PolicyPanel key={shown} walletAddress={shown} />}
      </div>
    </Card>
  );
};
