// Addresses of the programs, sysvars and memo programs that the service's transactions may reference.
import type { Address } from '@solana/kit';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address;
export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111' as Address;
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address;

/**
 * The memo program that this service uses. Every cluster and local runtime has it, whereas many lack the
 * newest memo program, `Memo4c2p…`.
 */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;

/** All memo programs. A memo written by any of them is recognized. */
export const MEMO_PROGRAMS: readonly Address[] = [
  MEMO_PROGRAM,
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH' as Address,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address,
];

/**
 * Lighthouse: wallets append its assertions so that a transaction fails if the outcome differs from their
 * simulation.
 */
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address;

/** Lighthouse instructions that write and close memory accounts at the payer's expense. */
export const LIGHTHOUSE_MEMORY: readonly string[] = ['memoryWrite', 'memoryClose'];

/**
 * Lighthouse instructions that only read accounts and either fail or do nothing, by the first byte of their
 * data. Excludes number 16, which calls another program, and instructions of later versions. Source: the
 * program's published interface, read 2026-11.
 */
export const LIGHTHOUSE_ASSERTIONS: ReadonlyMap<number, string> = new Map([
  [2, 'assertAccountData'],
  [3, 'assertAccountDataMulti'],
  [4, 'assertAccountDelta'],
  [5, 'assertAccountInfo'],
  [6, 'assertAccountInfoMulti'],
  [7, 'assertMintAccount'],
  [8, 'assertMintAccountMulti'],
  [9, 'assertTokenAccount'],
  [10, 'assertTokenAccountMulti'],
  [11, 'assertStakeAccount'],
  [12, 'assertStakeAccountMulti'],
  [13, 'assertUpgradeableLoaderAccount'],
  [14, 'assertUpgradeableLoaderAccountMulti'],
  [15, 'assertSysvarClock'],
  [17, 'assertBubblegumTreeConfigAccount'],
]);

/**
 * Accounts that older forms of the Stake instructions include but that Stake v5 no longer needs. None of them
 * can sign.
 */
export const STAKE_SYSVARS: ReadonlyMap<Address, string> = new Map([
  ['SysvarC1ock11111111111111111111111111111111' as Address, 'clock sysvar'],
  ['SysvarStakeHistory1111111111111111111111111' as Address, 'stake history sysvar'],
  ['SysvarRent111111111111111111111111111111111' as Address, 'rent sysvar'],
  ['StakeConfig11111111111111111111111111111111' as Address, 'stake config'],
]);

/** Precompiles: programs of the runtime that verify the signatures in their instruction data. */
export const PRECOMPILES: ReadonlyMap<Address, string> = new Map([
  ['Ed25519SigVerify111111111111111111111111111' as Address, 'Ed25519'],
  ['KeccakSecp256k11111111111111111111111111111' as Address, 'Secp256k1'],
  ['Secp256r1SigVerify1111111111111111111111111' as Address, 'Secp256r1'],
]);

export const PROGRAM_NAMES: ReadonlyMap<Address, string> = new Map([
  [SYSTEM_PROGRAM, 'System'],
  [STAKE_PROGRAM, 'Stake'],
  [COMPUTE_BUDGET_PROGRAM, 'Compute Budget'],
  [LIGHTHOUSE_PROGRAM, 'Lighthouse'],
  ...PRECOMPILES,
  ...MEMO_PROGRAMS.map((program): [Address, string] => [program, 'Memo']),
]);

/** Instruction names, indexed by their number on the wire. */
export const STAKE_INSTRUCTIONS: readonly string[] = [
  'initialize',
  'authorize',
  'delegateStake',
  'split',
  'withdraw',
  'deactivate',
  'setLockup',
  'merge',
  'authorizeWithSeed',
  'initializeChecked',
  'authorizeChecked',
  'authorizeCheckedWithSeed',
  'setLockupChecked',
  'getMinimumDelegation',
  'deactivateDelinquent',
  'redelegate',
  'moveStake',
  'moveLamports',
];
export const SYSTEM_INSTRUCTIONS: readonly string[] = [
  'createAccount',
  'assign',
  'transfer',
  'createAccountWithSeed',
  'advanceNonceAccount',
  'withdrawNonceAccount',
  'initializeNonceAccount',
  'authorizeNonceAccount',
  'allocate',
  'allocateWithSeed',
  'assignWithSeed',
  'transferWithSeed',
  'upgradeNonceAccount',
];
