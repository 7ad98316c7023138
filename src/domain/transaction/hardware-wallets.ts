// Says which transactions a hardware wallet shows in clear, by the lists of instructions that Ledger's Solana app prints.
import type { Address } from '@solana/kit';
import type { DecodedInstruction, InstructionFields, OwnInstruction } from '../instruction-types.ts';

/**
 * The lists of our instructions that Ledger's app prints field by field, memos left out. It asks to sign any other list blindly. Source:
 * `libsol/transaction_printers.c` of LedgerHQ/app-solana cae9176, read 2026-11; the newest that is known.
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

/** The app reads so many instructions of one transaction, memos included. */
const MOST_INSTRUCTIONS = 4;

/** The least accounts with which the app reads an instruction: the sysvars are among them. */
const leastAccounts: Partial<Record<InstructionFields['type'], number>> = {
  'stake.initialize': 2,
  'stake.delegateStake': 6,
  'stake.deactivate': 3,
  'stake.withdraw': 5,
  'stake.merge': 5,
  'stake.authorize': 3,
};

/** True where a hardware wallet shows every effect of these instructions before it signs. */
export const isShownByHardwareWallets = (
  instructions: readonly Pick<DecodedInstruction<Address | null>, 'data' | 'accounts'>[],
): boolean => {
  const shown = instructions.filter(({ data }) => data.type !== 'memo');
  return (
    instructions.length <= MOST_INSTRUCTIONS &&
    shown.every(({ data, accounts }) => accounts.length >= (leastAccounts[data.type] ?? 0)) &&
    shownByHardwareWallets.some(
      (list) => list.length === shown.length && list.every((type, index) => type === shown[index]!.data.type),
    )
  );
};
