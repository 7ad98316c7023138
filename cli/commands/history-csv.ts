// Formats a wallet's history as CSV for spreadsheets: one line per effect, oldest first, with amounts that add up.
import type { HistoryLeg, WalletHistoryAnswer } from '../../client/generated/stake-operations.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { formatCsv } from '../../src/domain/format-csv.ts';

type Entry = WalletHistoryAnswer['history'][number];

/** Accounts between which a step moves SOL; empty for steps that move none. */
const movementOf = (
  { type, stakeAccountAddress: stake, counterAccountAddress: counter }: HistoryLeg,
  wallet: string,
): { readonly from?: string | null; readonly to?: string | null } => {
  switch (type) {
    case 'create':
    case 'merge':
      return { from: counter, to: stake };
    case 'transfer':
      return stake === null ? { from: wallet, to: counter } : { from: counter, to: stake };
    case 'withdraw':
    case 'split':
    case 'moveStake':
    case 'moveLamports':
      return { from: stake, to: counter };
    case 'delegate':
    case 'undo':
    case 'deactivate':
    case 'authorize':
    case 'authorizeWithdrawer':
      return {};
  }
};

/** Formats an amount to the lamport; empty if unknown. */
const exact = (amountSol: number | null, sign: 1 | -1 = 1): string => {
  if (amountSol === null) return '';
  const text = lamportsToSol(BigInt(Math.round(amountSol * 1e9)));
  return sign < 0 && text !== '0' ? `-${text}` : text;
};

const HEADER = [
  'confirmedAt',
  'epoch',
  'slot',
  'signature',
  'effect',
  'stakeAccountAddress',
  'fromAddress',
  'toAddress',
  'movedSol',
  'walletChangeSol',
  'delegatedSol',
];

/**
 * Builds the CSV. The balance of an account changes by `movedSol` of the lines to it minus those from it, and
 * that of the wallet by `walletChangeSol`, without network fees and rent of nonce accounts, which no record
 * contains. `delegatedSol` is negative for an unstake.
 */
export const historyCsv = (entries: readonly Entry[], wallet: string): string =>
  formatCsv([
    HEADER,
    ...entries.toReversed().flatMap(({ confirmedAt, epoch, slot, signature, legs }) =>
      legs.map((leg) => {
        const { type, stakeAccountAddress, amountSol } = leg;
        const { from, to } = movementOf(leg, wallet);
        const isMove = from !== undefined;
        const isDelegation = type === 'delegate' || type === 'undo' || type === 'deactivate';
        return [
          confirmedAt,
          String(epoch),
          String(slot),
          signature,
          type,
          stakeAccountAddress ?? '',
          from ?? '',
          to ?? '',
          isMove ? exact(amountSol) : '',
          from === wallet ? exact(amountSol, -1) : to === wallet ? exact(amountSol) : '',
          isDelegation ? exact(amountSol, type === 'deactivate' ? -1 : 1) : '',
        ];
      }),
    ),
  ]);
