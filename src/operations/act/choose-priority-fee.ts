// Priority fees: chooses the price per compute unit for a request, and formats the fee for responses.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { type PriceLevel, priorityLevels } from '../../domain/priority-levels.ts';
import {
  type BudgetFacts,
  computeBudgetOf,
  type PriorityFee,
  type UnitPrice,
} from '../../domain/transaction/instruction-fees.ts';
import type { Context } from '../context.ts';
import { agentSchemas, integer, sol } from '../shared-schemas.ts';

/** Short schema for MCP tools. It offers the levels but not `maxLamports`. */
export const prioritySchemaForTools = (fallback: string) => ({
  type: 'string',
  enum: priorityLevels,
  description: `Fee when busy. Default: ${fallback}.`,
});

export const prioritySchema = z
  .union([z.enum(priorityLevels), z.strictObject({ maxLamports: z.int().min(0).max(1_000_000_000) })], {
    error: 'must be none, low, medium, high, or an object with maxLamports',
  })
  .optional()
  .meta({
    description:
      'Priority fee while the network is busy, estimated now: low, medium or high, or the high estimate up to `maxLamports`. Default: none.',
  });
agentSchemas.add(prioritySchema, prioritySchemaForTools('none'));

/** The priority fee as the caller requested it. */
export type AskedPriority = z.output<typeof prioritySchema>;

/**
 * The requested priority, or for a retry the requested priority raised above the price that an expired
 * transaction paid.
 */
export type Priority =
  | AskedPriority
  | { readonly raised: AskedPriority; readonly aboveMicroLamports: bigint };

const priceIn = (wireBytes: Uint8Array): bigint =>
  computeBudgetOf(decodeWire(wireBytes)).microLamportsPerUnit;

/**
 * Returns the priority for signing an intent again after `expired`; without `expired`, returns the requested
 * one.
 */
export const priorityAfterExpiry = (
  priority: AskedPriority,
  expired: { readonly wireBytes: Uint8Array } | undefined,
): Priority =>
  expired === undefined || priority === undefined || priority === 'none'
    ? priority
    : { raised: priority, aboveMicroLamports: priceIn(expired.wireBytes) };

/** True if `next` pays a higher price than `expired`. */
export const paysHigherPrice = (
  next: { readonly wireBytes: Uint8Array },
  expired: { readonly wireBytes: Uint8Array },
): boolean => priceIn(next.wireBytes) > priceIn(expired.wireBytes);

const ABOVE: Readonly<Record<PriceLevel, PriceLevel>> = { low: 'medium', medium: 'high', high: 'high' };

export interface ChosenPrice {
  /** Undefined if there is no fee, because none was requested or the estimate is 0. */
  readonly unitPrice: UnitPrice | undefined;
  /** Undefined if no fee was requested. */
  readonly estimate?: Awaited<ReturnType<Context['chain']['cluster']['priorityPrice']>>;
}

const NO_FEE: ChosenPrice = { unitPrice: undefined };

/** Estimates the price for a transaction that writes `accounts`. Rejects only if `signal` is aborted. */
export const choosePrice = async (
  ctx: Context,
  priority: Priority,
  accounts: readonly Address[],
  signal: AbortSignal,
): Promise<ChosenPrice> => {
  const isRaised = typeof priority === 'object' && 'raised' in priority;
  const asked = isRaised ? priority.raised : priority;
  if (asked === undefined || asked === 'none') return NO_FEE;
  const level: PriceLevel = typeof asked === 'object' ? 'high' : asked;
  const estimate = await ctx.chain.cluster.priorityPrice(accounts, isRaised ? ABOVE[level] : level, signal);
  const ceiling = ctx.service.settings.priorityFeeMaxLamports;
  const limit = typeof asked === 'object' ? BigInt(asked.maxLamports) : ceiling;
  const maxFeeLamports = limit < ceiling ? limit : ceiling;
  const least = isRaised ? 2n * priority.aboveMicroLamports : 0n;
  const estimated = estimate.microLamports ?? 0n;
  const microLamports = estimated > least ? estimated : least;
  return { unitPrice: microLamports > 0n ? { microLamports, maxFeeLamports } : undefined, estimate };
};

/** Creates warnings for an unreliable or missing estimate and for a fee capped below the estimate. */
export const priorityNotices = (
  { unitPrice, estimate }: ChosenPrice,
  fee: PriorityFee | null,
): readonly Notice[] => {
  if (estimate === undefined) return [];
  if (estimate.microLamports === null)
    return [
      notice(
        'PRIORITY_FEE_UNKNOWN',
        'No RPC node returned an estimate of priority fees, so this pays none. It may take a long time to land while the network is busy.',
      ),
    ];
  const capped =
    unitPrice !== undefined && (fee?.microLamportsPerUnit ?? 0n) < unitPrice.microLamports
      ? [
          notice(
            'PRIORITY_FEE_CAPPED',
            'The estimated priority fee is above the limit of {maxFeeSol} SOL, so this pays no more than the limit and may not land at once.',
            { maxFeeSol: solFigure(unitPrice.maxFeeLamports) },
          ),
        ]
      : [];
  return estimate.differs
    ? [
        ...capped,
        notice(
          'PRIORITY_FEE_DISPUTED',
          'The RPC nodes return very different estimates of priority fees. This pays the middle one.',
        ),
      ]
    : capped;
};

export const priorityFeeSchema = z
  .object({
    form: z.enum(['none', 'instructions', 'header']).meta({
      description:
        '`instructions`: two Compute Budget instructions come first. `header`: the fee is in the header of a version 1 message. `none`: there is no fee.',
    }),
    lamports: integer('Part of the network fee.'),
    sol: sol('The same.'),
    computeUnitLimit: integer('Compute units that the transaction may use.').nullable(),
    loadedAccountsDataBytes: integer(
      'Bytes of account data that the transaction may load. Only in version 1.',
    ).optional(),
    microLamportsPerUnit: integer('Price of one compute unit, in millionths of a lamport.'),
    shareOfAmountPct: z
      .number()
      .nullable()
      .meta({ description: 'Percent of the amount moved; null if the transaction moves none.' }),
  })
  .meta({ id: 'PriorityFee' });

/** Formats the priority fee and the compute limits that a message sets. */
export const priorityFeeView = (
  message: BudgetFacts,
  amountLamports: bigint | null,
): z.input<typeof priorityFeeSchema> => {
  const { computeUnitLimit, microLamportsPerUnit, priorityFeeLamports: lamports } = computeBudgetOf(message);
  const { headerBudget } = message;
  return {
    form: lamports === 0n ? 'none' : headerBudget ? 'header' : 'instructions',
    lamports: Number(lamports),
    sol: solNumber(lamports),
    computeUnitLimit,
    ...(headerBudget && { loadedAccountsDataBytes: headerBudget.loadedAccountsDataBytes }),
    microLamportsPerUnit: Number(microLamportsPerUnit),
    shareOfAmountPct: amountLamports ? Number((lamports * 10_000_000n) / amountLamports) / 100_000 : null,
  };
};
