// Links to an explorer for people; the service itself never follows them.
import type { ServiceSettings } from '../context.ts';

type LinkSettings = Pick<ServiceSettings, 'explorerUrl' | 'explorerQuery'>;

/** Where a person can look at a transaction. */
export const transactionUrl = (settings: LinkSettings, signature: string): string =>
  `${settings.explorerUrl}/tx/${signature}${settings.explorerQuery}`;
