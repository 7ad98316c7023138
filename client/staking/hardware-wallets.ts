// Decides which transactions a hardware wallet can display in full, using the instruction lists that Ledger's
// Solana app prints.
import type { Address } from '@solana/kit';
import type {
  DecodedInstruction,
  InstructionFields,
  OwnInstruction,
} from '../../src/domain/instruction-types.ts';

/**
 * Instruction lists, without memos, that Ledger's app prints field by field. All others need blind signing.
 * Source: `libsol/transaction_printers.c` of LedgerHQ/app-solana cae9176, the newest known version, read in
 * 2026-11.
 */
export const shownByHardwareWallets: readonly (readonly OwnInstruction[])[] = [
  ['stake.delegateStake'],
  ['stake.deactivate'],
  ['stake.withdraw'],
  ['stake.merge'],
  ['stake.authorize'],
  ['system.transfer'],
  ['system.createAccount', 'stake.split'],
  ['system.createAccount', 'stake.initialize', 'stake.delegateStake'],
];

/** Maximum number of instructions that the app reads, memos included. */
const MAX_INSTRUCTIONS = 4;

/** Minimum number of accounts, including sysvars, that the app requires to read an instruction. */
const leastAccounts: Partial<Record<InstructionFields['type'], number>> = {
  'stake.initialize': 2,
  'stake.delegateStake': 6,
  'stake.deactivate': 3,
  'stake.withdraw': 5,
  'stake.merge': 5,
  'stake.authorize': 3,
};

/** True if a hardware wallet shows every effect of these instructions before signing. */
export const isShownByHardwareWallets = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data' | 'accounts'>[],
): boolean => {
  const shown = instructions.filter(({ data }) => data.type !== 'memo');
  return (
    instructions.length <= MAX_INSTRUCTIONS &&
    shown.every(({ data, accounts }) => accounts.length >= (leastAccounts[data.type] ?? 0)) &&
    shownByHardwareWallets.some(
      (list) => list.length === shown.length && list.every((type, index) => type === shown[index]!.data.type),
    )
  );
};
