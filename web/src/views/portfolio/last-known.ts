// Keeps the last responses about a wallet in this tab, so a reload during an outage shows them with their age.
import { useEffect, useState } from 'react';
import { useIsAway } from '../../api/service-connection.ts';
import type { Resource } from '../../api/use-resource.ts';
import { recall, remember } from '../../state/browser-storage.ts';

/** Maximum size of a kept response. A response about 200 accounts has this size. */
const MAX_CHARACTERS = 500_000;

const readKept = <Data>(name: string): Pick<Resource<Data>, 'data' | 'at'> | undefined => {
  try {
    return JSON.parse(recall(name, 'sessionStorage') ?? '') as Pick<Resource<Data>, 'data' | 'at'>;
  } catch {
    return undefined;
  }
};

/**
 * Keeps the response of `resource`. While `resource` cannot be read, returns the kept response instead, marked
 * as stale. `key` must not change while the component is mounted.
 */
export const useLastKnown = <Data>(key: string, resource: Resource<Data>): Resource<Data> => {
  const { data, at, error } = resource;
  const name = `holdfast.last/${key}`;
  const [kept] = useState(() => readKept<Data>(name));
  const isAway = useIsAway();
  useEffect(() => {
    if (data === undefined) return;
    const text = JSON.stringify({ data, at });
    remember(name, text.length > MAX_CHARACTERS ? null : text, 'sessionStorage');
  }, [name, data, at]);
  return data === undefined && kept !== undefined && (isAway || error !== undefined)
    ? { ...resource, ...kept, stale: true, pending: false }
    : resource;
};
