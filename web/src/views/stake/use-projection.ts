// Asks the service for a projection once the amount rests, and gives up questions whose amount has moved on.
import { useMemo, useRef } from 'react';
import type { SimulateStakeAnswer } from '../../../../client/generated/stake-operations.ts';
import { lamportsToSol } from '../../../../client/sol-amount.ts';
import { api } from '../../api/holdfast.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { useRested } from '../../state/use-rested.ts';

/** How long the amount must rest. */
const REST_MS = 250;

/** The last projection: for the amount and duration now once `fresh`, else for earlier ones. */
export interface ProjectionState {
  readonly data: SimulateStakeAnswer | undefined;
  readonly fresh: boolean;
  /** The reading of it, for where nothing could be read yet. */
  readonly resource: Resource<SimulateStakeAnswer>;
}

/** `amountLamports` null: nothing is asked. Another `epoch` asks again: what is projected begins at its end. */
export const useProjection = (
  amountLamports: bigint | null,
  durationDays: number,
  epoch: number | undefined,
): ProjectionState => {
  // The first epoch that becomes known is the one in which was asked.
  const first = useRef(epoch);
  first.current ??= epoch;
  const later = epoch === first.current ? '' : String(epoch);
  const wanted = useMemo(
    () =>
      amountLamports === null
        ? null
        : {
            key: `stake/simulate/${amountLamports}/${durationDays}/${later}`,
            input: { amountSol: lamportsToSol(amountLamports), durationDays },
          },
    [amountLamports, durationDays, later],
  );
  const asked = useRested(wanted, REST_MS);
  const resource = useResource(asked?.key ?? null, (signal) => api.simulateStake(asked!.input, { signal }));
  const { data } = resource;
  const last = useRef<SimulateStakeAnswer>(undefined);
  if (data !== undefined) last.current = data;
  return { data: data ?? last.current, fresh: data !== undefined && asked === wanted, resource };
};
