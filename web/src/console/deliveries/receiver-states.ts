// Lists the states of a receiver's webhooks, worst first, so a healthy webhook does not hide a disabled one.
import type { DeadLetters } from '../operator-api.ts';

type Counts = Pick<
  DeadLetters['receivers'][number],
  'webhooks' | 'disabledWebhooks' | 'failingWebhooks' | 'deletedWebhooks'
>;

interface ReceiverState {
  readonly title: 'Disabled' | 'Failing' | 'OK' | 'Deleted';
  readonly tone: 'bad' | 'warn' | 'good' | 'neutral';
  readonly webhooks: number;
}

/** Returns the states that at least one webhook has. */
export const receiverStates = ({
  webhooks,
  disabledWebhooks,
  failingWebhooks,
  deletedWebhooks,
}: Counts): readonly [ReceiverState, ...ReceiverState[]] => {
  const ok = webhooks - disabledWebhooks - failingWebhooks - deletedWebhooks;
  const states: readonly ReceiverState[] = [
    { title: 'Disabled', tone: 'bad', webhooks: disabledWebhooks },
    { title: 'Failing', tone: 'warn', webhooks: failingWebhooks },
    { title: 'OK', tone: 'good', webhooks: ok },
    { title: 'Deleted', tone: 'neutral', webhooks: deletedWebhooks },
  ];
  return states.filter((state) => state.webhooks > 0) as [ReceiverState, ...ReceiverState[]];
};
