// Links to an explorer for people; the service itself never follows them.
import type { ServiceSettings } from '../service-ports.ts';

/** Which explorer, and which cluster it is to show. */
export type LinkSettings = Pick<ServiceSettings, 'explorerUrl' | 'explorerQuery'>;

/** Where a person can look at a transaction. */
export const transactionUrl = (settings: LinkSettings, signature: string): string =>
  `${settings.explorerUrl}/tx/${signature}${settings.explorerQuery}`;

/** Where a person can look at an account. */
export const accountUrl = (settings: LinkSettings, address: string): string =>
  `${settings.explorerUrl}/address/${address}${settings.explorerQuery}`;
