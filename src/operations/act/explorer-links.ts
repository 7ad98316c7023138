// Links to a block explorer, for users to open. The service itself never requests them.
import type { ServiceSettings } from '../service-ports.ts';

export type LinkSettings = Pick<ServiceSettings, 'explorerUrl' | 'explorerQuery'>;

export const transactionUrl = (settings: LinkSettings, signature: string): string =>
  `${settings.explorerUrl}/tx/${signature}${settings.explorerQuery}`;

export const accountUrl = (settings: LinkSettings, address: string): string =>
  `${settings.explorerUrl}/address/${address}${settings.explorerQuery}`;
