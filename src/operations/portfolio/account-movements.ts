// Determines the lamports that transactions moved into and out of a stake account, and the tips that arrived by
// transaction. The result is null if any transaction cannot be decoded.
import type { Address } from '@solana/kit';
import { accountBalances, decodeWire } from '../../chain/transactions/wire-transaction.ts';
import type { RememberedTransaction } from '../../chain/validator/reward-cache.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import type { BalanceAt, DelegationChange } from '../../domain/portfolio/account-rewards.ts';
import { lamportTransfers } from '../../domain/transaction/effects/lamport-transfers.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { epochGrid } from '../act/intents/record-landed-transaction.ts';
import type { Search } from './search-address-history.ts';

/** An account's initial balance, and its movements and tips since. */
export interface AccountMovements {
  /** Null if the account's creation was not found. */
  readonly opening: BalanceAt | null;
  readonly movements: readonly BalanceAt[];
  /** Tips by the epoch in which they arrived, without transactions whose balances no node reports. */
  readonly datedTips: readonly BalanceAt[];
  /** Oldest first. */
  readonly delegationChanges: readonly DelegationChange[];
}

/**
 * Number of signatures from which on an account's transactions are not read and its tips stay unknown: one call
 * returns no more. Tips by transaction add one signature per epoch, about 180 a year.
 */
const MAX_SIGNATURES = 1_000;

/** Instructions of the Stake program that move no lamports. */
const MOVES_NOTHING: ReadonlySet<string> = new Set([
  'initialize',
  'initializeChecked',
  'authorize',
  'authorizeWithSeed',
  'authorizeChecked',
  'authorizeCheckedWithSeed',
  'delegateStake',
  'deactivate',
  'setLockup',
  'setLockupChecked',
]);

/** The effect of one instruction of the Stake or the System program on an account. */
interface Effect {
  readonly opened?: bigint;
  readonly moved: bigint;
}

/** Returns the effects of each instruction on `account`, in order; null if one is unknown. */
const effectsOf = (
  instructions: readonly DecodedInstruction<Address | null>[],
  before: ReadonlyMap<Address, bigint>,
  account: Address,
): readonly Effect[] | null => {
  const effects: Effect[] = [];
  const transfers = lamportTransfers(instructions, before);
  for (const [index, { data, programId, name, accounts }] of instructions.entries()) {
    const transfer = transfers[index] ?? null;
    const isNamed = accounts.some(({ address }) => address === account);
    if (!isNamed) continue;
    if (transfer === null) {
      const isDecided = programId === STAKE_PROGRAM || programId === SYSTEM_PROGRAM;
      if (isDecided && !MOVES_NOTHING.has(name)) return null;
      continue;
    }
    const { from, to, lamports } = transfer;
    if (lamports === null) return null;
    const isSystem = data.type === 'system.createAccount' || data.type === 'system.transfer';
    // Stake accounts never send lamports through the System program.
    if (isSystem && to !== account) return null;
    if (data.type === 'system.createAccount') effects.push({ opened: lamports, moved: 0n });
    else effects.push({ moved: (to === account ? lamports : 0n) - (from === account ? lamports : 0n) });
  }
  return effects;
};

/** Returns how an instruction changes the delegation of `account`; null if it does not. */
const delegationChange = (
  { data }: DecodedInstruction<Address | null>,
  account: Address,
): Omit<DelegationChange, 'epoch'> | null => {
  if (data.type === 'stake.moveStake') return data.into === account ? { to: 'active' } : null;
  if (data.type === 'stake.delegateStake' && data.stakeAccount === account)
    return { to: 'activating', voteAccount: data.voteAccount };
  if (data.type === 'stake.deactivate') return data.stakeAccount === account ? { to: 'deactivating' } : null;
  return null;
};

/**
 * Decodes a landed transaction, with the balances of its accounts before and after it. Returns null if some
 * of its accounts are in lookup tables.
 */
const readLanded = ({ wireBytes, preBalances, postBalances }: RememberedTransaction) => {
  try {
    const wire = decodeWire(wireBytes);
    if (wire.hasLookups) return null;
    const [before, after] = [preBalances, postBalances].map((lamports) => accountBalances(wire, lamports));
    return { instructions: wire.instructions, before: before!, after: after! };
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/**
 * Reads the transactions of an account up to the search's finalized slot. Changes of the balance by other
 * programs than Stake and System count as tips if they add lamports, and as movements if they remove some.
 * Returns null if there are too many transactions, one cannot be decoded, the account was created twice, or the
 * budget is exhausted.
 */
export const readMovements = async (search: Search, account: Address): Promise<AccountMovements | null> => {
  const { ctx, budget, signal, finalizedSlot } = search;
  if (!budget.take()) return null;
  const rows = await ctx.chain.reads.signaturesFor(account, {
    signal,
    commitment: 'finalized',
    minContextSlot: finalizedSlot,
    limit: MAX_SIGNATURES,
  });
  if (rows.length >= MAX_SIGNATURES) return null;
  const grid = await epochGrid(ctx, signal);
  const movements: BalanceAt[] = [];
  const datedTips: BalanceAt[] = [];
  let opening: BalanceAt | null = null;
  const delegationChanges: DelegationChange[] = [];
  for (const { signature, slot, succeeded } of rows) {
    // Later transactions are ignored, because the balance to explain is the one at `finalizedSlot`.
    if (!succeeded || slot > finalizedSlot) continue;
    const cached = ctx.chain.rewardMemory.landed.get(signature);
    if (cached === undefined && !budget.take()) return null;
    const landed =
      cached ?? (await ctx.chain.reads.transaction(signature, { signal, commitment: 'finalized' }));
    if (landed === null) return null;
    const { wireBytes, preBalances, postBalances } = landed;
    ctx.chain.rewardMemory.landed.set(signature, { wireBytes, preBalances, postBalances });
    const epoch = epochOfSlot(slot, grid);
    const read = readLanded(landed);
    const effects = read && effectsOf(read.instructions, read.before, account);
    if (effects === null) return null;
    let explained = 0n;
    for (const { opened, moved } of effects) {
      if (opened !== undefined) {
        // The account was closed and created again, and signatures do not reveal which of the two a transaction
        // belongs to.
        if (opening !== null) return null;
        opening = { epoch, lamports: opened };
      }
      if (moved !== 0n) movements.push({ epoch, lamports: moved });
      explained += (opened ?? 0n) + moved;
    }
    const [before, after] = [read!.before.get(account), read!.after.get(account)];
    if (before !== undefined && after !== undefined && after - before !== explained) {
      const lamports = after - before - explained;
      (lamports > 0n ? datedTips : movements).push({ epoch, lamports });
    }
    delegationChanges.unshift(
      ...read!.instructions.flatMap((instruction) => {
        const change = delegationChange(instruction, account);
        return change === null ? [] : [{ epoch, ...change }];
      }),
    );
  }
  return { opening, movements, datedTips, delegationChanges };
};
