// Decides whether a view shows the flow's progress, and resumes an interrupted flow. In a separate module,
// because the card is loaded with the first transaction.
import { useEffect } from 'react';
import { type RequestKind, requestKinds } from '../../../client/staking/staking-request.ts';
import { flow, useFlow } from './use-page-flow.ts';

/** True while a transaction of these kinds is shown. Default: all kinds. */
export const useFlowShown = (kinds: readonly RequestKind[] = requestKinds): boolean => {
  const { step, record } = useFlow();
  const isOurs = record === null || kinds.includes(record.kind);
  return isOurs && (step === 'submitting' || step === 'confirmed' || step === 'failed' || step === 'paused');
};

/** Resumes an interrupted flow, once per page load. */
export const useResumedFlow = (): void => {
  useEffect(() => {
    flow.resume().catch(() => undefined);
  }, []);
};
