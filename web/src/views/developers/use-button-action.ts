// Runs one button action at a time and keeps its progress and error.
import { useState } from 'react';
import { type DescribedError, describeError } from '../../api/describe-error.ts';

/** State of a component's buttons. `busy` is the name of the running action. */
interface Action {
  readonly busy: string | null;
  readonly failure: DescribedError | undefined;
  /** Runs the action unless another one is running. Failures are shown, not thrown. */
  readonly run: (name: string, work: () => Promise<void>) => void;
}

/** Returns the state of the buttons of one component. */
export const useAction = (): Action => {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<DescribedError>();
  const start = async (name: string, work: () => Promise<void>): Promise<void> => {
    setBusy(name);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(describeError(error));
    }
    setBusy(null);
  };
  return {
    busy,
    failure,
    run: (name, work) => {
      if (busy === null) void start(name, work);
    },
  };
};
