// The cluster, read from the document, so nothing on the page moves when the first response arrives.
import { CLUSTER_META } from '../../../src/http/pages/brand/page-brand.ts';

/** Name of the cluster, e.g. `mainnet-beta` or `sandbox`. Never changes while the page is open. */
export const cluster: string =
  document.querySelector<HTMLMetaElement>(`meta[name="${CLUSTER_META}"]`)?.content ?? 'custom';

/** True if the service runs its own sandbox. */
export const isSandbox = cluster === 'sandbox';
