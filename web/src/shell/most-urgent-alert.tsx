// Chooses the alert shown above every view: a stolen stake authority first, then a validator that no longer earns
// or takes more.
import { useEffect, useState } from 'react';
import { useSummary } from '../api/shared-reads.ts';
import { recall, remember } from '../state/browser-storage.ts';
import { createStore } from '../state/create-store.ts';
import { noticeText } from '../text/notice-text.ts';
import { Button } from '../ui/controls/button.tsx';
import { useWallet } from '../wallet/use-wallet.ts';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import { AlertBanner } from './alert-banner.tsx';
import { type ForeignControl, REFRESH_SECONDS, useForeignControl } from './foreign-control.ts';
import { LinkButton } from './link.tsx';
import { navigate } from './page-router.ts';
import { TheftBanner } from './theft-banner.tsx';
import { validatorAlert } from './validator-alert.ts';

const { say } = defineWords('shell', shellEnglish);

const KEY = 'holdfast.seen-alert';

/** True while a critical alert concerns the connected wallet. */
export const criticalAlert = createStore(false);

const useCriticalAlert = (isCritical: boolean): void => {
  useEffect(() => {
    criticalAlert.set(isCritical);
    return () => criticalAlert.set(false);
  }, [isCritical]);
};

const ValidatorAlert = ({ walletAddress, path }: { walletAddress: string; path: string }) => {
  const { data } = useSummary(walletAddress, REFRESH_SECONDS);
  // Without storage, the alert returns after a reload.
  const [seen, setSeen] = useState(() => recall(KEY));
  const alert = data?.walletAddress === walletAddress ? validatorAlert(data) : null;
  const isCritical = alert?.severity === 'critical';
  useCriticalAlert(isCritical);
  if (alert === null) return null;
  // Its button acts on the connected wallet, so it is not shown above the portfolio of another wallet.
  const shown = new URLSearchParams(location.search).get('wallet');
  if (path === '/portfolio' && shown !== null && shown !== walletAddress) return null;
  const { text } = alert;
  // The Stake view itself shows critical alerts, also to visitors without a wallet.
  if (isCritical ? path === '/' : seen === text) return null;
  const hide = (): void => {
    setSeen(text);
    remember(KEY, text);
  };
  return (
    <AlertBanner
      tone={isCritical ? 'bad' : 'warn'}
      title={noticeText(alert)}
      actions={
        <>
          <Button kind="primary" onClick={() => navigate('/portfolio?act=unstake')}>
            {say('unstake')}
          </Button>
          {path !== '/validator' && (
            <LinkButton href="/validator" kind="quiet">
              {say('viewValidator')}
            </LinkButton>
          )}
          {!isCritical && (
            <Button kind="quiet" onClick={hide}>
              {say('hide')}
            </Button>
          )}
        </>
      }
    />
  );
};

const TheftAlert = ({ control }: { control: ForeignControl }) => {
  useCriticalAlert(true);
  return <TheftBanner control={control} />;
};

/** Renders nothing without alerts. Shows one alert at a time, because each has its own fix. */
export const MostUrgentAlert = ({ path }: { path: string }) => {
  const control = useForeignControl();
  const { walletAddress } = useWallet();
  if (control !== null) return <TheftAlert control={control} />;
  return walletAddress === null ? null : <ValidatorAlert walletAddress={walletAddress} path={path} />;
};
