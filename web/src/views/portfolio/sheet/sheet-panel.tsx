// A printable sheet for the owner: every account, its authorities, and how to unstake without the service.
import { sheetCommands } from '../../../../../client/stake-sheet.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { dateText } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';
import { sheetFacts } from './sheet-facts.ts';
import styles from './sheet-panel.module.css';

const { say, sayWith } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

/** While this is shown, printing the page prints only the sheet. */
export const SheetPanel = ({ walletAddress }: { walletAddress: string }) => {
  const read = useResource(`${WALLET_KEYS}${walletAddress}/sheet`, (signal) =>
    api.listStakeAccounts({ walletAddress, scope: 'all' }, { signal }),
  );
  const accounts = read.data?.accounts ?? [];
  return (
    <>
      <LoadError resource={read} what={say('theAccounts')} />
      {read.pending && <SkeletonText lines={4} what={say('loadingAccounts')} />}
      {read.data && (
        <div className={styles.sheet} data-sheet>
          <p className={styles.whose}>
            {sayWith('sheetOf', {
              wallet: <strong>{walletAddress}</strong>,
              date: dateText(read.data._meta.timestamp),
            })}
          </p>
          <p>{say('sheetText')}</p>
          {accounts.map((account) => (
            <section
              key={account.address}
              className={styles.account}
              aria-label={say('sheetAccount', { address: account.address })}
            >
              <h3>{account.address}</h3>
              <dl>
                {sheetFacts(account, walletAddress).map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              <pre>{sheetCommands(account, walletAddress).join('\n')}</pre>
            </section>
          ))}
          {accounts.length === 0 && <p>{say('noAccounts')}</p>}
        </div>
      )}
      <div className={styles.actions}>
        <Button disabled={!read.data} onClick={() => window.print()}>
          {say('print')}
        </Button>
      </div>
    </>
  );
};
