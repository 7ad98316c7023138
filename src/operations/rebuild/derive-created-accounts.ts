// Derives the keys of the accounts that a transaction creates, because its bytes do not contain the keys.
import type { Addressing } from '../../chain/transactions/derive-stake-key.ts';
import { machineOperationsOf } from '../../domain/transaction/machine-operations.ts';
import { validationError } from '../../kernel/app-error.ts';
import type { RecognizedWire } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';

export type StakeKey = ReturnType<Context['chain']['stakeKeys']['derive']>;

/** Maximum number of new accounts. No plan creates that many. */
const MAX_NEW_ACCOUNTS = 12;

/**
 * Derives the key of each account that the transaction creates from the caller's idempotency key, as for a
 * single stake or as for a plan. `keys` disposes of the derived keys. Throws `AppError('VALIDATION_ERROR')`
 * if an account was derived from a different key.
 */
export const deriveCreated = (
  ctx: Context,
  { wire, seen: { wallet } }: RecognizedWire,
  idempotencyKey: string | undefined,
  keys: DisposableStack,
): readonly StakeKey[] => {
  const created = machineOperationsOf(wire).flatMap((one) => (one.type === 'create' ? [one] : []));
  if (created.length === 0) return [];
  if (idempotencyKey === undefined)
    throw validationError([
      {
        path: 'idempotencyKey',
        code: 'required',
        message:
          'is required, because the transaction creates a stake account whose address is derived from it',
      },
    ]);
  const names = [
    idempotencyKey,
    ...Array.from({ length: MAX_NEW_ACCOUNTS }, (_, index) => `${idempotencyKey} ${index}`),
  ];
  const derivedBy = (addressing: Addressing): readonly StakeKey[] =>
    names.map((name) =>
      keys.use(ctx.chain.stakeKeys.derive({ use: 'builder', wallet, idempotencyKey: name, addressing })),
    );
  // All accounts of a transaction have the same addressing.
  const derived = derivedBy(created[0]?.seed === undefined ? 'key' : 'seed');
  return created.map(({ account: address }) => {
    const own = derived.find((one) => one.address === address);
    if (own !== undefined) return own;
    throw validationError([
      {
        path: 'idempotencyKey',
        code: 'custom',
        message: `is not the key that the transaction was built with: it does not derive the stake account ${address}`,
      },
    ]);
  });
};
