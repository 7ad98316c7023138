// Validators and their yields by city; this validator's city is marked.
import { useState } from 'react';
import type { CityDensity } from '../../../../client/generated/validator-operations.ts';
import { isHoldfastError } from '../../../../client/holdfast-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { countryName } from '../../text/country-name.ts';
import { count, percent } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import table from '../../ui/table.module.css';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import { knownPercent } from './format-known-figures.ts';
import styles from './peers-card.module.css';
import { type CityColumn, isSameCity, sortCities } from './sort-cities.ts';
import { usePeers } from './validator-view-reads.ts';
import { Warnings } from './validator-warnings.tsx';

const { say } = defineWords('validator', validatorEnglish);

const COLUMNS = [
  { key: 'city', title: 'city', numeric: false },
  { key: 'validatorCount', title: 'validators', numeric: false },
  { key: 'sharePct', title: 'share', numeric: true },
  { key: 'medianApy', title: 'medianApy', numeric: true },
] as const;
const FIRST_SHOWN = 5;

interface Sorting {
  readonly column: CityColumn;
  readonly descending: boolean;
}

const Head = ({ sorting, onSort }: { sorting: Sorting; onSort: (next: Sorting) => void }) => (
  <thead>
    <tr>
      {COLUMNS.map(({ key, title, numeric }) => {
        const chosen = sorting.column === key;
        return (
          <th
            key={key}
            scope="col"
            className={numeric ? table.numeric : undefined}
            aria-sort={chosen ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              className={classNames(styles.sort, chosen && styles.chosen, !sorting.descending && styles.up)}
              onClick={() =>
                onSort({ column: key, descending: chosen ? !sorting.descending : key !== 'city' })
              }
            >
              {say(title)}
              <Icon name="down" size={13} />
            </button>
          </th>
        );
      })}
    </tr>
  </thead>
);

const City = ({ city, isOwn, most }: { city: CityDensity; isOwn: boolean; most: number }) => (
  <tr className={isOwn ? styles.own : undefined} data-own={isOwn || undefined}>
    <th scope="row" className={styles.city}>
      {city.city}
      {city.country !== null && <small>{countryName(city.country)}</small>}
      {isOwn && <Pill tone="accent">{say('thisValidator')}</Pill>}
    </th>
    <td>
      <span className={styles.barLine}>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${(100 * city.validatorCount) / most}%` }} />
        </span>
        {count(city.validatorCount)}
      </span>
    </td>
    <td className={table.numeric}>{percent(city.sharePct)}</td>
    <td className={table.numeric}>{knownPercent(city.medianApy)}</td>
  </tr>
);

/** The rows always include the validator's own city. */
export const PeersCard = () => {
  const peers = usePeers();
  const [sorting, setSorting] = useState<Sorting>({ column: 'validatorCount', descending: true });
  const [isWhole, setWhole] = useState(false);
  const { data } = peers;
  const own = data?.validatorCity ?? null;
  const listed = data?.cities ?? [];
  const all = own === null || listed.some((city) => isSameCity(city, own)) ? listed : [...listed, own];
  const sorted = sortCities(all, sorting.column, sorting.descending);
  const shown = isWhole ? sorted : sorted.filter((city, at) => at < FIRST_SHOWN || isSameCity(city, own));
  const most = Math.max(1, ...all.map(({ validatorCount }) => validatorCount));
  return (
    <Card
      title={say('byLocation')}
      note={
        data &&
        say('peersNote', {
          validators: count(data.totalValidators),
          scored: count(data.scoredValidators),
          percent: knownPercent(data.globalMedianApy),
        })
      }
      flush={data !== undefined}
    >
      {isHoldfastError(peers.error, 'NOT_CONFIGURED') ? (
        <Empty icon="info" title={say('notConfigured')}>
          {say('notConfiguredText')}
        </Empty>
      ) : (
        <LoadError resource={peers} what={say('theCities')} />
      )}
      {peers.pending && <SkeletonText lines={6} what={say('loadingCities')} />}
      {data !== undefined && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section className={table.scroll} aria-label={say('byCity')} tabIndex={0}>
            <table className={classNames(table.table, styles.card)}>
              <caption className="visually-hidden">{say('byCity')}</caption>
              <Head sorting={sorting} onSort={setSorting} />
              <tbody>
                {shown.map((city) => (
                  <City
                    key={`${city.city} ${city.country}`}
                    city={city}
                    isOwn={isSameCity(city, own)}
                    most={most}
                  />
                ))}
              </tbody>
            </table>
          </section>
          <div className={styles.foot}>
            {sorted.length > FIRST_SHOWN && (
              <Button kind="quiet" size="s" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                {isWhole ? say('showFewer') : say('showAll', { total: sorted.length })}
              </Button>
            )}
            <Warnings notices={data.notices} />
          </div>
        </>
      )}
    </Card>
  );
};
