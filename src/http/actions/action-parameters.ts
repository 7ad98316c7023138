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

/** Builds an amount input. It is required unless the Action defines a default. */
export const amountParameter = (action: Action, minSol: number): TypedActionParameter => {
  const required =
    neededMember(action) === 'amountSol' ||
    !action.operation.input.shape.amountSol.safeParse(undefined).success;
  return {
    type: 'number',
    name: 'amountSol',
    label: required ? `Amount in SOL, at least ${minSol}` : 'Amount in SOL; empty for all',
    required,
    min: minSol,
    max: amountRange(action).maxSol,
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

/**
 * Returns as choices the wallet's accounts on which the Action is currently possible; null if there are none.
 * Rejects with `AppError('UPSTREAM_UNAVAILABLE')`, or with `AppError('STAKE_ACCOUNT_ADDRESS_PROVIDED')` if
 * `walletAddress` is not a wallet.
 */
export const accountParameter = async (
  { name }: Action,
  walletAddress: Address,
  around: ActionDependencies,
): Promise<TypedActionParameter | null> => {
  const { body } = await listStakeAccounts.run({
    ...around,
    input: { walletAddress, scope: 'validator' },
    source: 'actions',
  });
  const open = body.accounts.filter(({ suggestedActions }) =>
    suggestedActions.some(({ action }) => (action as string) === name),
  );
  if (open.length === 0) return null;
  return {
    type: 'select',
    name: 'stakeAccountAddress',
    label: 'Stake account',
    required: true,
    options: open.map(({ address, sol, state, withdrawableSol }) => ({
      label:
        name === 'withdraw'
          ? `${shortAddress(address)}: ${withdrawableSol} SOL can be withdrawn`
          : `${shortAddress(address)}: ${sol} SOL, ${state}`,
      value: address,
    })),
  };
};
