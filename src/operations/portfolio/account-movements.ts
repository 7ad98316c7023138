// What transactions moved into and out of one stake account, decoded from each of them; null as soon as one of them cannot be told.
import type { Address } from '@solana/kit';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { epochOfSlot } from '../../domain/epoch-of-slot.ts';
import type { BalanceAt } from '../../domain/portfolio/rewards.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import type { DecodedInstruction } from '../../domain/transaction/instruction-types.ts';

import { isAppError } from '../../kernel/app-error.ts';
import { epochGrid } from '../act/note-landed.ts';
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

/** What one instruction did to `account`; null where that cannot be told. What other programs brought are tips, and no movement. */
const effectOf = (
  instruction: DecodedInstruction<Address | null>,
  account: Address,
): { readonly opened?: bigint; readonly moved: bigint } | null => {
  const { data, programId, name, accounts } = instruction;
  if (!accounts.some(({ address }) => address === account)) return { moved: 0n };
  if (data.type === 'system.createAccount')
    return data.newAccount === account ? { opened: data.lamports, moved: 0n } : null;
  if (data.type === 'system.transfer') return data.to === account ? { moved: data.lamports } : null;
  if (data.type === 'stake.withdraw') {
    const out = data.stakeAccount === account ? -data.lamports : 0n;
    return { moved: out + (data.recipient === account ? data.lamports : 0n) };
  }
  const isDecided = programId === STAKE_PROGRAM || programId === SYSTEM_PROGRAM;
  return !isDecided || MOVES_NOTHING.has(name) ? { moved: 0n } : null;
};

const instructionsOf = (wireBytes: Uint8Array): readonly DecodedInstruction<Address | null>[] | null => {
  try {
    const wire = decodeWire(wireBytes);
    return wire.hasLookups ? null : wire.instructions;
  } catch (error) {
    if (isAppError(error, 'INVALID_TRANSACTION')) return null;
    throw error;
  }
};

/** Reads the transactions of an account up to the search's slot. Null: too many, one that cannot be told, a second creation, or no budget left. */
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
    const kept = ctx.rewardMemory.wires.get(signature);
    if (kept === undefined && !budget.take()) return null;
    const wireBytes =
      kept ?? (await ctx.reads.transaction(signature, { signal, commitment: 'finalized' }))?.wireBytes;
    if (wireBytes === undefined) return null;
    ctx.rewardMemory.wires.set(signature, wireBytes);
    const epoch = epochOfSlot(slot, grid);
    for (const instruction of instructionsOf(wireBytes) ?? [null]) {
      const effect = instruction && effectOf(instruction, account);
      if (effect === null) return null;
      if (effect.opened !== undefined) {
        // It was closed in between: two lives are not told apart.
        if (opening !== null) return null;
        opening = { epoch, lamports: effect.opened };
      }
      if (effect.moved !== 0n) movements.push({ epoch, lamports: effect.moved });
    }
  }
  return { opening, movements };
};
