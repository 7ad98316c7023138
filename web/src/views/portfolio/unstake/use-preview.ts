// Requests the possible amounts of an unstake from the service, and, after a pause, the plan for the entered
// amount.
import { lamportsToSol } from '../../../../../client/sol-amount.ts';
import { api } from '../../../api/holdfast.ts';
import { WALLET_KEYS } from '../../../api/shared-reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { useDebounced } from '../../../state/use-debounced.ts';

/** Debounce time of the amount. */
const REST_MS = 350;

const keyOf = (walletAddress: string, asked: bigint | 'ranges'): string =>
  `${WALLET_KEYS}${walletAddress}/unstake-preview/${asked}`;

/** Reads the amounts that can be unstaked, in addition to deactivating stake. */
export const useReachable = (walletAddress: string) =>
  useResource(keyOf(walletAddress, 'ranges'), (signal) => api.previewUnstake({ walletAddress }, { signal }));

/** Reads the plan to unstake this amount; reads nothing while `lamports` is null or still being typed. */
export const useUnstakePreview = (walletAddress: string, lamports: bigint | null) => {
  const rested = useDebounced(lamports, REST_MS);
  const asked = rested === lamports ? rested : null;
  return useResource(asked === null ? null : keyOf(walletAddress, asked), (signal) =>
    api.previewUnstake({ walletAddress, amountSol: lamportsToSol(asked!) }, { signal }),
  );
};
