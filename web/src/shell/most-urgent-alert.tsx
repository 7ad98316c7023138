// Chooses the alert shown above every view: a stolen stake authority first, then a validator that no longer
// earns or has raised its commission.
import { useEffect, useState } from 'react';
import type { Notice } from '../../../client/generated/shared-types.ts';
import { useSummary, useValidatorSentences } from '../api/shared-reads.ts';
import { alertAbove, NO_ALERT } from '../state/alert-above.ts';
import { recall, remember } from '../state/browser-storage.ts';
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

const useAlertAbove = (code: Notice['code'] | null, isCritical: boolean): void => {
  useEffect(() => {
    alertAbove.set({ code, isCritical });
    return () => alertAbove.set(NO_ALERT);
  }, [code, isCritical]);
};

/** True if the view is the portfolio of a wallet that is not connected. */
const isOtherWallet = (path: string, walletAddress: string): boolean => {
  const shown = new URLSearchParams(location.search).get('wallet');
  return path === '/portfolio' && shown !== null && shown !== walletAddress;
};

const ValidatorAlert = ({ walletAddress, path }: { walletAddress: string; path: string }) => {
  // The end of an alert is noticed sooner than its beginning, because figures are withheld meanwhile.
  const isAlerted = useValidatorSentences() !== '';
  const { data } = useSummary(walletAddress, isAlerted ? 30 : REFRESH_SECONDS);
  // Without storage, the alert returns after a reload.
  const [seen, setSeen] = useState(() => recall(KEY));
  const alert = data?.walletAddress === walletAddress ? validatorAlert(data) : null;
  const isCritical = alert?.severity === 'critical';
  // The button changes stakes of the connected wallet, so the alert is not shown above the portfolio of another
  // wallet. The Stake view itself shows critical alerts, also to visitors without a wallet.
  const isAbove = !isOtherWallet(path, walletAddress) && !(isCritical && path === '/');
  useAlertAbove(isAbove && alert !== null ? alert.code : null, isCritical);
  if (alert === null || !isAbove) return null;
  const { text } = alert;
  if (!isCritical && seen === text) return null;
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

const TheftAlert = ({ control, path }: { control: ForeignControl; path: string }) => {
  useAlertAbove(isOtherWallet(path, control.walletAddress) ? null : 'FOREIGN_STAKE_AUTHORITY', true);
  return <TheftBanner control={control} />;
};

/** Renders nothing without alerts. Shows one alert at a time, because each has its own fix. */
export const MostUrgentAlert = ({ path }: { path: string }) => {
  const control = useForeignControl();
  const { walletAddress } = useWallet();
  if (control !== null) return <TheftAlert control={control} path={path} />;
  return walletAddress === null ? null : <ValidatorAlert walletAddress={walletAddress} path={path} />;
};
