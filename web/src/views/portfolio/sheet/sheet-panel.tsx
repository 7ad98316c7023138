// A printable sheet for the owner: every account, its authorities, and how to unstake without the service.
import { SHEET_WORDS, stakeSheet } from '../../../../../client/stake-sheet.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import styles from './sheet-panel.module.css';

/** Printing the page while this is shown prints only the sheet. */
export const SheetPanel = ({ walletAddress }: { walletAddress: string }) => {
  const read = useResource(`${WALLET_KEYS}${walletAddress}/sheet`, (signal) =>
    api.listStakeAccounts({ walletAddress, scope: 'all' }, { signal }),
  );
  const entries = stakeSheet(walletAddress, read.data?.accounts ?? []);
  return (
    <>
      <LoadError resource={read} what="The accounts" />
      {read.pending && <SkeletonText lines={4} what="Loading the accounts" />}
      {read.data && (
        <div className={styles.sheet} data-sheet>
          <p className={styles.whose}>
            Stake of <strong>{walletAddress}</strong>, {read.data._meta.timestamp.slice(0, 10)}
          </p>
          <p>{SHEET_WORDS}</p>
          {entries.map(({ address, facts, commands }) => (
            <section key={address} className={styles.account} aria-label={`Stake account ${address}`}>
              <h3>{address}</h3>
              <dl>
                {facts.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <pre>{commands.join('\n')}</pre>
            </section>
          ))}
          {entries.length === 0 && <p>This wallet has no stake accounts.</p>}
        </div>
      )}
      <div className={styles.actions}>
        <Button disabled={!read.data} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </>
  );
};
