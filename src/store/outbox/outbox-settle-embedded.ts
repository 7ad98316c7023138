// The embedded engine's way to note attempts: a prepared statement for each row.

import type { Engine } from '../schema.ts';
import { attemptLine } from './attempt-log.ts';
import { deliveryChange, type RegistrationChange, registrationChanges } from './attempt-outcomes.ts';
import type { AttemptResult } from './outbox.ts';

type Prepare = NonNullable<Engine['prepare']>;

const HOLDER = `update deliveries set state = ?, attempts = attempts + ?, attempts_ever = attempts_ever + 1, due_at_ms = ?, lease_owner = null, lease_until_ms = null,
  settled_at_ms = ?, attempt_log = attempt_log || ? where event = ? and lease_owner = ?`;
const OTHER =
  'update deliveries set attempts_ever = attempts_ever + 1, attempt_log = attempt_log || ? where event = ?';
const REGISTRATION = `update webhooks set
  last_delivery_at_ms = nullif(max(coalesce(last_delivery_at_ms, 0), ?), 0),
  failing_since_ms = coalesce(iif(?, failing_since_ms, null), ?),
  disabled_reason = iif(?, disabled_reason, ?) where id = ?`;

/** Within a transaction. */
export const settleEmbedded = (prepare: Prepare, results: readonly AttemptResult[]): void => {
  const [holder, other, registration] = [prepare(HOLDER), prepare(OTHER), prepare(REGISTRATION)];
  const isHolder = (result: AttemptResult): boolean => {
    const { state, attempts, dueAtMs, settledAtMs } = deliveryChange(result);
    const { key, owner } = result;
    const line = attemptLine(result.attempt);
    const changed = holder.run(state, attempts, dueAtMs, settledAtMs, line, key, owner);
    if (changed === 0) other.run(line, key);
    return changed > 0;
  };
  for (const change of registrationChanges(results.filter(isHolder))) registration.run(...valuesOf(change));
};

const valuesOf = ({
  id,
  lastDeliveryAtMs,
  keepsFailing,
  failingSinceMs,
  disabledReason,
}: RegistrationChange) => [
  lastDeliveryAtMs ?? 0,
  keepsFailing ? 1 : 0,
  failingSinceMs,
  disabledReason === undefined ? 1 : 0,
  disabledReason ?? null,
  id,
];
