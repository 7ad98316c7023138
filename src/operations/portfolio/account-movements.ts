// Decodes what transactions moved into and out of a stake account; null as soon as one cannot be decoded.
import type { Address } from '@solana/kit';
import { parseMessage } from '../../chain/transactions/wire-message.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import type { BalanceAt } from '../../domain/portfolio/account-rewards.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/transaction/instruction-types.ts';

import { isAppError } from '../../kernel/app-error.ts';
import { epochGrid } from '../act/record-landed.ts';
import type { RememberedTransaction } from './reward-memory.ts';
import type { Search } from './search-address.ts';

/** What an account was created with, and what was moved since. */
export interface AccountMovements {
  /** Null where its creation was not found. */
  readonly opening: BalanceAt | null;
  readonly movements: readonly BalanceAt[];
}

/** More signatures than that are not read for one account: its tips stay unknown. */
const MOST_SIGNATURES = 200;

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

type Data = DecodedInstruction<Address | null>['data'];

/** Lamports that an instruction takes from one account to another. */
interface Transfer {
  readonly from: Address | null;
  readonly to: Address | null;
  /** Null: a merge moves all of an account whose balance is not known. */
  readonly lamports: bigint | null;
}

const transferOf = (data: Data, balances: ReadonlyMap<Address, bigint>): Transfer | null => {
  switch (data.type) {
    case 'system.createAccount':
      return { from: data.from, to: data.newAccount, lamports: data.lamports };
    case 'system.transfer':
      return { from: data.from, to: data.to, lamports: data.lamports };
    case 'stake.withdraw':
      return { from: data.stakeAccount, to: data.recipient, lamports: data.lamports };
    case 'stake.split':
    case 'stake.moveStake':
    case 'stake.moveLamports':
      return { from: data.stakeAccount, to: data.into, lamports: data.lamports };
    case 'stake.merge': {
      const lamports = data.from === null ? undefined : balances.get(data.from);
      return { from: data.from, to: data.stakeAccount, lamports: lamports ?? null };
    }
    default:
      return null;
  }
};

/** What one instruction did to an account; a transfer by another program counts as a tip, not as a movement. */
interface Effect {
  readonly opened?: bigint;
  readonly moved: bigint;
}

/** What each instruction did to `account`, in order; null if one is unknown. */
const effectsOf = (
  instructions: readonly DecodedInstruction<Address | null>[],
  before: ReadonlyMap<Address, bigint>,
  account: Address,
): readonly Effect[] | null => {
  const balances = new Map(before);
  const effects: Effect[] = [];
  for (const { data, programId, name, accounts } of instructions) {
    const transfer = transferOf(data, balances);
    const isNamed = accounts.some(({ address }) => address === account);
    if (transfer !== null && transfer.lamports !== null) {
      const { from, to, lamports } = transfer;
      if (from !== null) balances.set(from, (balances.get(from) ?? 0n) - lamports);
      if (to !== null) balances.set(to, (balances.get(to) ?? 0n) + lamports);
    }
    if (!isNamed) continue;
    if (transfer === null) {
      const isDecided = programId === STAKE_PROGRAM || programId === SYSTEM_PROGRAM;
      if (isDecided && !MOVES_NOTHING.has(name)) return null;
      continue;
    }
    const { from, to, lamports } = transfer;
    if (lamports === null) return null;
    const isSystem = data.type === 'system.createAccount' || data.type === 'system.transfer';
    // No stake account pays out through System.
    if (isSystem && to !== account) return null;
    if (data.type === 'system.createAccount') effects.push({ opened: lamports, moved: 0n });
    else effects.push({ moved: (to === account ? lamports : 0n) - (from === account ? lamports : 0n) });
  }
  return effects;
};

/** A landed transaction with the balances of its accounts before it; null where its accounts are not all in it. */
const readLanded = ({ wireBytes, preBalances }: RememberedTransaction) => {
  try {
    const wire = decodeWire(wireBytes);
    if (wire.hasLookups) return null;
    const { staticAccounts } = parseMessage(wire.messageBytes);
    const balances = new Map(
      staticAccounts.flatMap((address, index) => {
        const lamports = preBalances?.[index];
        return lamports === undefined ? [] : [[address, lamports] as const];
      }),
    );
    return { instructions: wire.instructions, balances };
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/** Reads the transactions of an account up to the search's slot. Null: too many, one that is unknown, a second creation, or no budget left. */
export const readMovements = async (search: Search, account: Address): Promise<AccountMovements | null> => {
  const { ctx, budget, signal, finalizedSlot } = search;
  if (!budget.take()) return null;
  const rows = await ctx.reads.signaturesFor(account, {
    signal,
    commitment: 'finalized',
    minContextSlot: finalizedSlot,
    limit: MOST_SIGNATURES,
  });
  if (rows.length >= MOST_SIGNATURES) return null;
  const grid = await epochGrid(ctx, signal);
  const movements: BalanceAt[] = [];
  let opening: BalanceAt | null = null;
  for (const { signature, slot, succeeded } of rows) {
    // The balance that is explained is the one at `finalizedSlot`.
    if (!succeeded || slot > finalizedSlot) continue;
    const cached = ctx.rewardMemory.landed.get(signature);
    if (cached === undefined && !budget.take()) return null;
    const landed = cached ?? (await ctx.reads.transaction(signature, { signal, commitment: 'finalized' }));
    if (landed === null) return null;
    const { wireBytes, preBalances } = landed;
    ctx.rewardMemory.landed.set(signature, { wireBytes, preBalances });
    const epoch = epochOfSlot(slot, grid);
    const read = readLanded(landed);
    const effects = read && effectsOf(read.instructions, read.balances, account);
    if (effects === null) return null;
    for (const effect of effects) {
      if (effect.opened !== undefined) {
        // It was closed in between: two lives of one address cannot be separated.
        if (opening !== null) return null;
        opening = { epoch, lamports: effect.opened };
      }
      if (effect.moved !== 0n) movements.push({ epoch, lamports: effect.moved });
    }
  }
  return { opening, movements };
};
