// Autopilot: the standing instruction of the connected wallet, set, shown, paused and ended here, each by the wallet's signature of a text.
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { shortAddress } from '../../../ui/format.ts';
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

/** Asked for only when wanted: most wallets have none. */
export const AutopilotCard = () => {
  const { walletAddress } = useWallet();
  const [asked, setAsked] = useState<string | null>(null);
  const shown = walletAddress !== null && asked === walletAddress ? walletAddress : null;
  return (
    <Card
      title="Autopilot"
      note="“Keep this much liquid, offer me the rest for staking”"
      actions={shown && <StatePill walletAddress={shown} />}
    >
      <div className={styles.stack}>
        <p className={styles.lead}>
          At most once an epoch your receiver is sent an unsigned stake. Nothing happens unless you verify it,
          sign it and submit it. A policy is your wallet’s signature of a text that names every figure.
        </p>
        {walletAddress === null && <p className={styles.muted}>Connect a wallet to see or set its policy.</p>}
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
