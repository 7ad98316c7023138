// One thing at a time that a button does: whether it is under way, and what went wrong, in words.
import { useState } from 'react';
import { type DescribedError, describeError } from '../../api/describe-error.ts';

/** What a component shows of it. `busy`: the name of what is under way. */
interface Action {
  readonly busy: string | null;
  readonly failure: DescribedError | undefined;
  /** Runs it unless something is under way; a failure is shown, not thrown. */
  readonly run: (name: string, work: () => Promise<void>) => void;
}

/** The state of the buttons of one component. */
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
