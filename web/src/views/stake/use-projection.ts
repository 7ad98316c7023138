// Requests a projection once the amount has stopped changing, and discards outdated requests.
import { useMemo, useRef } from 'react';
import type { SimulateStakeAnswer } from '../../../../client/generated/stake-operations.ts';
import { lamportsToSol } from '../../../../client/sol-amount.ts';
import { readProjection, useValidatorSentences } from '../../api/shared-reads.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import { useDebounced } from '../../state/use-debounced.ts';

/** Debounce time of the amount. */
const REST_MS = 250;
/** Maximum age of a projection during an alert about the validator. */
const ALERTED_MS = 30_000;

/** The last projection: of the current amount and duration if `fresh`, otherwise of earlier ones. */
export interface ProjectionState {
  readonly data: SimulateStakeAnswer | undefined;
  readonly fresh: boolean;
  /** Resource of the projection, to show a first failure. */
  readonly resource: Resource<SimulateStakeAnswer>;
}

/**
 * If `amountLamports` is null, no request is made. A new `epoch` repeats the request, because projections start
 * at its end, and so does news about the validator.
 */
export const useProjection = (
  amountLamports: bigint | null,
  durationDays: number,
  epoch: number | undefined,
): ProjectionState => {
  // The first epoch that becomes known is the epoch of the first request.
  const first = useRef(epoch);
  first.current ??= epoch;
  const news = useValidatorSentences();
  const later = `${epoch === first.current ? '' : epoch}/${news}`;
  const wanted = useMemo(
    () =>
      amountLamports === null
        ? null
        : {
            news,
            key: `stake/simulate/${amountLamports}/${durationDays}/${later}`,
            input: { amountSol: lamportsToSol(amountLamports), durationDays },
          },
    [amountLamports, durationDays, later, news],
  );
  const asked = useDebounced(wanted, REST_MS);
  const resource = useResource(
    asked?.key ?? null,
    (signal) => readProjection(asked!.input, signal),
    // Without a wallet, only this read notices that an alert has ended.
    news === '' ? Number.POSITIVE_INFINITY : ALERTED_MS,
  );
  const { data } = resource;
  const last = useRef<{ readonly data: SimulateStakeAnswer; readonly news: string }>(undefined);
  if (data !== undefined) last.current = { data, news: asked!.news };
  return {
    // A projection from before the news would contradict it.
    data: last.current?.news === news ? last.current.data : undefined,
    fresh: data !== undefined && asked === wanted,
    resource,
  };
};
