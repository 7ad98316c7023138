// Requests a projection once the amount has stopped changing, and discards outdated requests.
import { useMemo, useRef } from 'react';
import type { SimulateStakeAnswer } from '../../../../client/generated/stake-operations.ts';
import { lamportsToSol } from '../../../../client/sol-amount.ts';
import { api } from '../../api/holdfast.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { useDebounced } from '../../state/use-debounced.ts';

/** Debounce time of the amount. */
const REST_MS = 250;

/** The last projection: of the current amount and duration if `fresh`, otherwise of earlier ones. */
export interface ProjectionState {
  readonly data: SimulateStakeAnswer | undefined;
  readonly fresh: boolean;
  /** Resource of the projection, to show a first failure. */
  readonly resource: Resource<SimulateStakeAnswer>;
}

/**
 * If `amountLamports` is null, no request is made. A new `epoch` repeats the request, because projections start
 * at its end.
 */
export const useProjection = (
  amountLamports: bigint | null,
  durationDays: number,
  epoch: number | undefined,
): ProjectionState => {
  // The first epoch that becomes known is the epoch of the first request.
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
  const asked = useDebounced(wanted, REST_MS);
  const resource = useResource(asked?.key ?? null, (signal) => api.simulateStake(asked!.input, { signal }));
  const { data } = resource;
  const last = useRef<SimulateStakeAnswer>(undefined);
  if (data !== undefined) last.current = data;
  return { data: data ?? last.current, fresh: data !== undefined && asked === wanted, resource };
};
