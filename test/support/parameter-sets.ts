// The rules of clusters at three times, so that the same tests can run under each.
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { withMinimumOfOneLamport } from './parameter-sets-stake-program.ts';

/** A cluster's past, present or future rules. */
interface ParameterSet {
  /** Rent per byte of the data size plus 128. */
  readonly rentLamportsPerByte: number;
  /** Rent of a stake account, which has 200 bytes. */
  readonly stakeRentLamports: number;
  /** Length of a slot. Tests run with shorter slots unless they are about time. */
  readonly slotMs: number;
  /** The Stake program's response to `GetMinimumDelegation`. */
  readonly minimumDelegationLamports: number;
}

const SOL = 1_000_000_000;

/** Name of a parameter set. */
export type ParameterSetName = '2024' | 'today' | 'end';

/** The rules as in 2024, as in November 2026, and after the announced reductions. */
export const parameterSets: Readonly<Record<ParameterSetName, ParameterSet>> = {
  2024: {
    rentLamportsPerByte: 6_960,
    stakeRentLamports: 2_282_880,
    slotMs: 400,
    minimumDelegationLamports: 1,
  },
  today: {
    rentLamportsPerByte: 5_080,
    stakeRentLamports: 1_666_240,
    slotMs: 400,
    minimumDelegationLamports: SOL,
  },
  end: {
    rentLamportsPerByte: 696,
    stakeRentLamports: 228_288,
    slotMs: 200,
    minimumDelegationLamports: SOL,
  },
};

/** The environment variable that sets the parameter set of a test run. */
export const PARAMETERS_VARIABLE = 'HOLDFAST_TEST_PARAMETERS';

/** Returns the parameter set that the tests of this process use; `today` by default. */
export const chosenParameterSet = (): ParameterSetName => {
  const name = process.env[PARAMETERS_VARIABLE] ?? 'today';
  if (!Object.hasOwn(parameterSets, name))
    throw new Error(`${PARAMETERS_VARIABLE}=${name}: no such parameter set`);
  return name as ParameterSetName;
};

/** Returns the rules of the set that the tests of this process use. */
export const chosenRules = (): ParameterSet => parameterSets[chosenParameterSet()];

/** Returns the sandbox options that follow the set, except for the length of slots. */
export const sandboxOptionsFor = (
  name: ParameterSetName,
): Pick<SandboxOptions, 'rentLamportsPerByte' | 'stakeProgram'> => {
  const { rentLamportsPerByte, minimumDelegationLamports } = parameterSets[name];
  if (minimumDelegationLamports === SOL) return { rentLamportsPerByte };
  return { rentLamportsPerByte, stakeProgram: withMinimumOfOneLamport };
};
