// A button that requests sandbox SOL for the connected wallet.
import { useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { api } from '../api/holdfast.ts';
import { WALLET_KEYS } from '../api/shared-reads.ts';
import { refreshAfterAct } from '../api/use-resource.ts';
import { showToast } from '../state/toast-store.ts';
import { Button, type ButtonKind } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { sandboxEnglish } from '../words/en/sandbox.ts';

const { say } = defineWords('sandbox', sandboxEnglish);

/** Requested amount, enough for several stakes with visible rewards. */
const FAUCET_SOL = 100;

/** Only shown if the service runs its own sandbox. */
export const FaucetButton = ({
  walletAddress,
  kind = 'secondary',
}: {
  walletAddress: string;
  kind?: ButtonKind;
}) => {
  const [busy, setBusy] = useState(false);
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.sandboxAirdrop({ walletAddress, amountSol: FAUCET_SOL });
      refreshAfterAct(WALLET_KEYS);
      showToast({ tone: 'good', title: say('arrived', { amount: FAUCET_SOL }) });
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind={kind} size="s" icon="drop" busy={busy} onClick={() => void take()}>
      {say('faucet', { amount: FAUCET_SOL })}
    </Button>
  );
};
