// Rebuilds a transaction by simulating its operations on the current accounts.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import { buildTransaction } from '../../chain/transactions/transaction.ts';
import type { WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { epochTiming } from '../../domain/epoch-clock.ts';
import { COMPUTE_BUDGET_PROGRAM, STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { applyOperations, type MachineRefusal } from '../../domain/machine/stake-machine.ts';
import type { MachineAccount, MachineOperation } from '../../domain/machine/stake-machine-state.ts';
import type { GoalName } from '../../domain/plan/plan-goals.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { machineOperationsOf } from '../../domain/transaction/machine-operations.ts';
import type { AppError } from '../../kernel/app-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { type BuildOptions, versionOf } from '../act/build-options.ts';
import { checkPayer } from '../act/check-payer-balance.ts';
import type { AskedPriority } from '../act/choose-priority-fee.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { boundaryNotices, lifetimeOf, readBuildFacts } from '../act/read-build-facts.ts';
import { translateChainError } from '../act/translate-chain-error.ts';
import { unsignedResponse } from '../act/unsigned-response.ts';
import type { Context } from '../context.ts';
import { refusalError, refuseLateUndo } from '../plan/plan-refusals.ts';
import { plannedTransaction } from '../plan/plan-view.ts';
import { worldOf } from '../plan/read-plan-inputs.ts';
import type { StakeKey } from './derive-created-accounts.ts';
import type { Rebuilt } from './rebuilt-schema.ts';

export interface TransactionToRebuild extends BuildOptions {
  readonly priority: AskedPriority;
  readonly wire: WireTransaction;
  readonly idempotencyKey: string | undefined;
  /** Keys of the accounts that the transaction creates. */
  readonly createdKeys: readonly StakeKey[];
}

/** Returns every account of the operations except the wallet. */
const accountsOf = (operations: readonly MachineOperation[], wallet: Address): readonly Address[] => [
  ...new Set(
    operations
      .flatMap((one) =>
        Object.entries(one).flatMap(([member, value]) =>
          ['account', 'into', 'from', 'to'].includes(member) ? [value as Address] : [],
        ),
      )
      .filter((address) => address !== wallet),
  ),
];

const machineAccount = (account: ChainAccount): MachineAccount =>
  decodeStakeAccount(account) ?? {
    kind: 'uninitialized',
    address: account.address,
    lamports: account.lamports,
  };

/**
 * Adjusts withdrawals to the current balances. If a withdrawal would now leave less than the rent-exempt
 * minimum, it must have been built as a full withdrawal, so its amount is set to the current balance.
 * Withdrawals from accounts that have since been closed are dropped. Applies only to transactions that
 * consist of withdrawals, because in others the amounts depend on each other.
 */
const withCurrentBalances = (
  operations: readonly MachineOperation[],
  accounts: readonly (ChainAccount | null)[],
  rentLamports: bigint,
): readonly MachineOperation[] => {
  if (!operations.every(({ type }) => type === 'withdraw')) return operations;
  const balances = new Map(accounts.flatMap((one) => (one ? [[one.address, one.lamports] as const] : [])));
  const open = operations.flatMap((one) => {
    const balance = one.type === 'withdraw' ? balances.get(one.account) : undefined;
    if (one.type !== 'withdraw' || balance === undefined) return [];
    const left = balance - one.lamports;
    return left > 0n && left < rentLamports ? [{ ...one, lamports: balance }] : [one];
  });
  return open.length > 0 ? open : operations;
};

/** Returns the goal of the operations if it is unambiguous and takes no amount, otherwise null. */
const goalOf = (operations: readonly MachineOperation[]): GoalName | null => {
  const types = new Set(operations.map(({ type }) => type));
  const consistsOf = (...allowed: readonly MachineOperation['type'][]): boolean =>
    [...types].every((type) => allowed.includes(type));
  if (consistsOf('authorize')) return 'rescue';
  if (!types.has('merge')) return null;
  if (consistsOf('merge', 'withdraw')) return 'tidy';
  return consistsOf('merge', 'delegate', 'withdraw') ? 'restake' : null;
};

/**
 * True if the operations undo a deactivation of an earlier epoch. Sending them now would restart activation.
 */
const isUndoOfEarlierEpoch = (
  operations: readonly MachineOperation[],
  stakes: readonly StakeAccount[],
  epoch: bigint,
): boolean => {
  const types = operations.map(({ type }) => type);
  if (!types.includes('split') || !types.includes('delegate') || types.includes('initialize')) return false;
  return operations.some(
    (one) =>
      one.type === 'split' &&
      stakes.find(({ address }) => address === one.account)?.delegation?.deactivationEpoch !== epoch,
  );
};

const machineError = ({ operation, code }: MachineRefusal, programs: readonly string[]): AppError => {
  const [, custom] = /^Custom (\d+)$/.exec(code) ?? [];
  const reason = custom === undefined ? code : { Custom: Number(custom) };
  return translateChainError(operation === null ? code : { InstructionError: [operation, reason] }, {
    programs,
    isPlanned: true,
  });
};

/**
 * Rebuilds the same operations. If the accounts no longer allow them and the bytes reveal the goal, plans
 * that goal again. Throws the errors of plans, and `AppError('STAKE_BALANCE_CHANGED')` if neither is
 * possible.
 */
export const rebuildOperations = async (
  ctx: Context,
  { wire, idempotencyKey, createdKeys, ...options }: TransactionToRebuild,
  signal: AbortSignal,
): Promise<Rebuilt> => {
  const wallet = wire.feePayer;
  const before = machineOperationsOf(wire);
  const addresses = accountsOf(before, wallet);
  const facts = await readBuildFacts(ctx, [wallet, ...addresses], signal, options);
  const [own = null, ...accounts] = facts.accounts!;
  const existing = accounts.filter((one) => one !== null);
  const stakes = existing.filter(({ owner }) => owner === STAKE_PROGRAM).map(machineAccount);
  const decoded = stakes.filter((one) => one.kind !== 'uninitialized' && one.kind !== 'empty');
  const read = { facts, walletLamports: own?.lamports ?? 0n, accounts: decoded };
  const noNewAddress = (): never => {
    throw new RangeError('a rebuilt transaction must not create new accounts');
  };
  const world = await worldOf(ctx, { wallet }, read, noNewAddress, signal);
  if (isUndoOfEarlierEpoch(before, decoded, facts.position.epoch))
    throw refusalError({ why: 'UNDO_TOO_LATE' }, world, { goal: 'undo' });
  const delegated = before.flatMap((one) => (one.type === 'delegate' ? [one.account] : []));
  const undone = decoded.filter(
    ({ address, delegation }) =>
      delegated.includes(address) && delegation?.deactivationEpoch === facts.position.epoch,
  );
  if (undone.length > 0) refuseLateUndo({ ...read, accounts: undone }, ctx);
  const operations = withCurrentBalances(before, accounts, facts.limits.stakeRentLamports);
  const built = buildTransaction.rearrange({
    wallet,
    operations,
    memo: ctx.service.settings.memo,
    ...lifetimeOf(facts),
    version: versionOf(ctx, options),
    unitPrice: facts.price.unitPrice,
  });
  const feeLamports = built.networkFeeLamports;
  checkPayer({
    wallet,
    account: own,
    spendLamports: 0n,
    feeLamports,
    reserveLamports: 0n,
    walletRentLamports: facts.limits.walletRentLamports,
  });
  const result = applyOperations(
    operations,
    {
      stakes: new Map(stakes.map((one) => [one.address, one])),
      wallets: new Map([
        ...existing
          .filter(({ owner }) => owner !== STAKE_PROGRAM)
          .map(({ address, lamports }) => [address, lamports] as const),
        [wallet, read.walletLamports - feeLamports] as const,
      ]),
    },
    world.chain,
  );
  if (!result.ok) {
    const goal = goalOf(before);
    if (goal === null || decoded.length === 0)
      throw machineError(
        result.refusal,
        // The simulation counts only the operations and not the priority fee instructions before them.
        built.instructions
          .map(({ programId }) => programId)
          .filter((program) => program !== COMPUTE_BUDGET_PROGRAM),
      );
    const named = decoded.map(({ address }) => address);
    const request = { wallet, goal, accounts: named, idempotencyKey, ...options };
    return plannedTransaction(
      ctx,
      request,
      sentence('REPLANNED', 'Makes the same change with the accounts as they are now.'),
      signal,
    );
  }
  return unsignedResponse(
    ctx,
    built,
    facts,
    {
      message: sentence('REBUILT', 'Makes the same change. Sign it with {walletAddress} and submit it.', {
        walletAddress: wallet,
      }),
      members: { epochTiming: epochTiming(facts.position, ctx.clock.now()) },
      idempotencyKey: idempotencyKeyFor(idempotencyKey).key,
      notices: [
        ...(delegated.length > 0 ? ctx.validator.status.notices() : []),
        ...boundaryNotices(facts.position),
      ],
    },
    new Map(
      createdKeys
        .filter(({ seed }) => seed === undefined)
        .map((one) => [one.address as string, one.sign(built.messageBytes)]),
    ),
  );
};
