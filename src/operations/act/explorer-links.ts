// Links to an explorer, for people. The service itself never requests them.
import type { ServiceSettings } from '../service-ports.ts';

/** Settings that explorer links are built from. */
export type LinkSettings = Pick<ServiceSettings, 'explorerUrl' | 'explorerQuery'>;

/** Returns the explorer link of a transaction. */
export const transactionUrl = (settings: LinkSettings, signature: string): string =>
  `${settings.explorerUrl}/tx/${signature}${settings.explorerQuery}`;

/** Returns the explorer link of an account. */
export const accountUrl = (settings: LinkSettings, address: string): string =>
  `${settings.explorerUrl}/address/${address}${settings.explorerQuery}`;
