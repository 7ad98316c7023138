// The rules of clusters at three times, so the same tests can run with each.
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { withMinimumOfOneLamport } from './parameter-sets-stake-program.ts';

interface ParameterSet {
  /** Rent per byte of the data size plus 128. */
  readonly rentLamportsPerByte: number;
  /** Rent of a stake account, which has 200 bytes. */
  readonly stakeRentLamports: number;
  /** Length of a slot in ms. Tests run with shorter slots unless they are about time. */
  readonly slotMs: number;
  /** The Stake program's response to `GetMinimumDelegation`. */
  readonly minimumDelegationLamports: number;
}

const SOL = 1_000_000_000;

export type ParameterSetName = '2024' | 'today' | 'end';

/** Rules of 2024, of November 2026, and after the announced reductions. */
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

/** The environment variable with the name of the parameter set for a test run. */
export const PARAMETERS_VARIABLE = 'HOLDFAST_TEST_PARAMETERS';

/** Returns the name of the parameter set for this process. Default: `today`. */
export const chosenParameterSet = (): ParameterSetName => {
  const name = process.env[PARAMETERS_VARIABLE] ?? 'today';
  if (!Object.hasOwn(parameterSets, name))
    throw new Error(`${PARAMETERS_VARIABLE}=${name}: no such parameter set`);
  return name as ParameterSetName;
};

/** Returns the rules of that set. */
export const chosenRules = (): ParameterSet => parameterSets[chosenParameterSet()];

/** Returns the sandbox options of the set, except for the length of slots. */
export const sandboxOptionsFor = (
  name: ParameterSetName,
): Pick<SandboxOptions, 'rentLamportsPerByte' | 'stakeProgram'> => {
  const { rentLamportsPerByte, minimumDelegationLamports } = parameterSets[name];
  if (minimumDelegationLamports === SOL) return { rentLamportsPerByte };
  return { rentLamportsPerByte, stakeProgram: withMinimumOfOneLamport };
};
