// A card that shows the connected wallet's autopilot policy, and lets the owner set, pause or end it by signing
// a text.
import { useState } from 'react';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
import styles from '../developers-view.module.css';
import { PolicyPanel } from './policy-panel.tsx';
import { usePolicy } from './policy-reads.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

const StatePill = ({ walletAddress }: { walletAddress: string }) => {
  const policy = usePolicy(walletAddress).data?.policy;
  return policy ? (
    <Pill tone={policy.paused ? 'warn' : 'good'} dot>
      {say(policy.paused ? 'paused' : 'on')}
    </Pill>
  ) : null;
};

/** This module is loaded on demand, because most wallets have no policy. */
export const AutopilotCard = () => {
  const { walletAddress } = useWallet();
  const [asked, setAsked] = useState<string | null>(null);
  const shown = walletAddress !== null && asked === walletAddress ? walletAddress : null;
  return (
    <Card
      title={say('autopilot')}
      note={say('autopilotNote')}
      actions={shown && <StatePill walletAddress={shown} />}
    >
      <div className={styles.stack}>
        <p className={styles.lead}>{say('lead')}</p>
        {walletAddress === null && <p className={styles.muted}>{say('connectFirst')}</p>}
        {walletAddress !== null && shown === null && (
          <div>
            <Button size="s" onClick={() => setAsked(walletAddress)}>
              {say('showPolicy', { wallet: shortAddress(walletAddress) })}
            </Button>
          </div>
        )}
        {shown !== null && <PolicyPanel key={shown} walletAddress={shown} />}
      </div>
    </Card>
  );
};
