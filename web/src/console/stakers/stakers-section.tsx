// The stakers section: concentration, and every wallet with its accounts.
import { useMemo, useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { showToast } from '../../state/toast-store.ts';
import { count, percent } from '../../text/format-figures.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TabStyledChoice } from '../../ui/controls/tabs.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { AsOfNotice, RecordsNotice } from '../as-of-notice.tsx';
import styles from '../console.module.css';
import { countWithNoun } from '../count-with-noun.ts';
import { type Account, operatorApi } from '../operator-api.ts';
import { type AccountList, useAccounts } from '../operator-reads.ts';
import {
  concentrationPct,
  filterAccounts,
  groupStakers,
  type Staker,
  type StakerSort,
  sortStakers,
} from './group-stakers.ts';
import { StakerDialog } from './staker-dialog.tsx';
import { type Sorting, StakersTable } from './stakers-table.tsx';
import { stateWords } from './state-pill.tsx';

const STEP = 50;

const STATES = [
  { value: '', label: 'All' },
  ...Object.entries(stateWords).map(([value, label]) => ({ value: value as Account['state'], label })),
] as const;

const download = async (): Promise<void> => {
  try {
    const url = URL.createObjectURL(new Blob([await operatorApi.delegatorsCsv()], { type: 'text/csv' }));
    Object.assign(document.createElement('a'), { href: url, download: 'stakers.csv' }).click();
    URL.revokeObjectURL(url);
  } catch (error) {
    const { title, detail } = describeError(error);
    showToast({ tone: 'bad', title, detail });
  }
};

const Concentration = ({ stakers, total }: { stakers: readonly Staker[]; total: number }) => (
  <Card>
    <Stats>
      <Stat label="Wallets" value={count(stakers.length)} note={countWithNoun(total, 'account')} />
      <Stat label="Largest wallet" value={percent(concentrationPct(stakers, 1))} note="of the active stake" />
      <Stat
        label="Ten largest wallets"
        value={percent(concentrationPct(stakers, 10))}
        note="of the active stake"
      />
    </Stats>
  </Card>
);

const List = ({ list }: { list: AccountList }) => {
  const [search, setSearch] = useState('');
  const [state, setState] = useState<Account['state'] | ''>('');
  const [sorting, setSorting] = useState<Sorting>({ sort: 'stake', order: 'desc' });
  const [shown, setShown] = useState(STEP);
  const [details, setDetails] = useState<string | null>(null);
  const stakers = useMemo(
    () =>
      sortStakers(
        groupStakers(filterAccounts(list.accounts, search.trim(), state)),
        sorting.sort,
        sorting.order,
      ),
    [list, search, state, sorting],
  );
  const sortBy = (sort: StakerSort): void =>
    setSorting({ sort, order: sorting.sort === sort && sorting.order === 'desc' ? 'asc' : 'desc' });
  return (
    <>
      <Card
        title="Wallets"
        flush
        actions={
          <Button size="s" onClick={() => void download()}>
            Download CSV
          </Button>
        }
      >
        <div className={styles.tools}>
          <TextField
            label="Search"
            value={search}
            onChange={setSearch}
            placeholder="Label or part of an address"
          />
          <TabStyledChoice label="State" tabs={STATES} value={state} onChange={setState} compact />
        </div>
        {stakers.length === 0 ? (
          <Empty icon="wallet" title="No staker found">
            {list.accounts.length === 0
              ? 'No one has staked with this validator yet.'
              : 'No wallet or account matches the search.'}
          </Empty>
        ) : (
          <StakersTable
            stakers={stakers.slice(0, shown)}
            sorting={sorting}
            onSort={sortBy}
            onDetails={setDetails}
          />
        )}
        {stakers.length > shown && (
          <div className={styles.more}>
            <Button onClick={() => setShown(shown + STEP)}>Show more</Button>
            <span>
              {count(shown)} of {countWithNoun(stakers.length, 'wallet')}
            </span>
          </div>
        )}
      </Card>
      {details !== null && <StakerDialog address={details} onClose={() => setDetails(null)} />}
    </>
  );
};

/** `/stakers` */
export const StakersSection = () => {
  const list = useAccounts();
  const { data } = list;
  const stakers = useMemo(() => groupStakers(data?.accounts ?? []), [data]);
  return (
    <div className={styles.stack}>
      <ViewHeading title="Stakers" />
      <LoadError resource={list} what="The list" />
      {list.pending && <SkeletonText lines={6} what="Loading the stakers" />}
      <AsOfNotice asOf={data?.asOf} />
      <RecordsNotice asOf={data?.recordsAsOf} />
      {data !== undefined && data.accounts.length < data.total && (
        <Notice>
          The {count(data.accounts.length)} largest of {count(data.total)} accounts are shown. The CSV file
          has all of them.
        </Notice>
      )}
      {data !== undefined && <Concentration stakers={stakers} total={data.total} />}
      {data !== undefined && <List list={data} />}
    </div>
  );
};
