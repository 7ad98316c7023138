// Defines the inputs that an Action asks for: amounts within the schema's range, and stake accounts to enter or
// choose.

import type { TypedActionParameter } from '@solana/actions-spec';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { MAX_AMOUNT_SOL } from '../../domain/lamports.ts';
import { shortAddress } from '../../domain/short-address.ts';
import { ADDRESS_PATTERN } from '../../kernel/base58.ts';
import type { Call } from '../../operations/operation.ts';
import { listStakeAccounts } from '../../operations/stake/list-stake-accounts.ts';
import type { Action } from '../routes/transaction-builders.ts';

/** Parts of a call that are needed to read the chain. */
export type ActionDependencies = Pick<Call<unknown>, 'ctx' | 'signal' | 'client'>;

/** 1 lamport. */
const MIN_SOL = 1e-9;

const bare = (schema: unknown): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap())
    : (schema as z.ZodType);

/** Returns the range of the Action's amounts in SOL, as documented in its schema. */
export const amountRange = ({ operation }: Action): { readonly minSol: number; readonly maxSol: number } => {
  const documented = bare(operation.input.shape.amountSol).meta()?.override as
    | { readonly minimum?: number; readonly maximum?: number }
    | undefined;
  return { minSol: documented?.minimum ?? MIN_SOL, maxSol: documented?.maximum ?? MAX_AMOUNT_SOL };
};

/**
 * Returns the field that an Action requires. If its operation requires one of several fields, returns the one
 * that the Action accepts.
 */
export const neededMember = ({ operation, members }: Action): string | undefined =>
  operation.eitherOf?.members.find((member: string) => members.includes(member));

/**
 * Builds an amount input. It is required unless the Action defines a default. `partialMaxSol` is the most that
 * can be withdrawn if no offered account can be emptied.
 */
export const amountParameter = (
  action: Action,
  minSol: number,
  partialMaxSol?: number,
): TypedActionParameter => {
  const required =
    partialMaxSol !== undefined ||
    neededMember(action) === 'amountSol' ||
    !action.operation.input.shape.amountSol.safeParse(undefined).success;
  return {
    type: 'number',
    name: 'amountSol',
    label: required
      ? `Amount in SOL, at least ${minSol}`
      : action.name === 'withdraw'
        ? 'Amount in SOL; empty to close an inactive account'
        : 'Amount in SOL; empty for all',
    required,
    min: minSol,
    max: partialMaxSol ?? amountRange(action).maxSol,
  };
};

/** Returns an input for typing the address of a stake account, used while the wallet is unknown. */
export const addressParameter = (): TypedActionParameter => ({
  type: 'text',
  name: 'stakeAccountAddress',
  label: 'Address of your stake account',
  required: true,
  pattern: ADDRESS_PATTERN,
  patternDescription: 'A base58 Solana address',
});

/** The wallet's accounts on which an Action is possible. */
interface AccountChoice {
  readonly parameter: TypedActionParameter;
  /** The most that can be withdrawn from one of them; undefined if one can be emptied, or for other Actions. */
  readonly partialMaxSol: number | undefined;
}

/**
 * Returns as choices the wallet's accounts on which the Action is currently possible; null if there are none.
 * Rejects with `AppError('UPSTREAM_UNAVAILABLE')`, or with `AppError('STAKE_ACCOUNT_ADDRESS_PROVIDED')` if
 * `walletAddress` is not a wallet.
 */
export const accountParameter = async (
  { name }: Action,
  walletAddress: Address,
  around: ActionDependencies,
): Promise<AccountChoice | null> => {
  const { body } = await listStakeAccounts.run({
    ...around,
    input: { walletAddress, scope: 'validator' },
    source: 'actions',
  });
  const open = body.accounts.filter(({ suggestedActions }) =>
    suggestedActions.some(({ action }) => (action as string) === name),
  );
  if (open.length === 0) return null;
  const isPartial = name === 'withdraw' && open.every(({ withdrawReady }) => !withdrawReady);
  return {
    partialMaxSol: isPartial
      ? Math.max(...open.map(({ withdrawableSol }) => Number(withdrawableSol)))
      : undefined,
    parameter: {
      type: 'select',
      name: 'stakeAccountAddress',
      label: 'Stake account',
      required: true,
      options: open.map(({ address, sol, state, withdrawReady, withdrawableSol }) => ({
        label:
          name !== 'withdraw'
            ? `${shortAddress(address)}: ${sol} SOL, ${state}`
            : withdrawReady
              ? `${shortAddress(address)}: ${withdrawableSol} SOL can be withdrawn`
              : `${shortAddress(address)}: enter an amount up to ${withdrawableSol} SOL`,
        value: address,
      })),
    },
  };
};
