// Asks the service to plan an amount once it rests, and again when the wallet changed.
import { lamportsToSol } from '../../../../../client/sol-amount.ts';
import { api } from '../../../api/holdfast.ts';
import { WALLET_KEYS } from '../../../api/reads.ts';
import { useResource } from '../../../api/use-resource.ts';
import { useRested } from '../../../state/use-rested.ts';

/** How long the amount must rest. */
const REST_MS = 350;

/** The plan that brings this amount into the wallet as soon as can be; none while `lamports` is null or still being typed. */
export const useCashPlan = (walletAddress: string, lamports: bigint | null) => {
  const rested = useRested(lamports, REST_MS);
  const asked = rested === lamports ? rested : null;
  return useResource(asked === null ? null : `${WALLET_KEYS}${walletAddress}/plan/cash/${asked}`, (signal) =>
    api.planStakeChange({ walletAddress, goal: 'cash', amountSol: lamportsToSol(asked!) }, { signal }),
  );
};
