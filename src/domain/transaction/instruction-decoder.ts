// Decodes an instruction from its bytes the way its program reads them. Rejects stake and transfer data of
// unexpected length.
import type { Address } from '@solana/kit';
import { sentenceMembers } from '../../kernel/sentence.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_ASSERTIONS,
  LIGHTHOUSE_MEMORY,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAMS,
  PRECOMPILES,
  PROGRAM_NAMES,
  STAKE_INSTRUCTIONS,
  STAKE_PROGRAM,
  STAKE_SYSVARS,
  SYSTEM_INSTRUCTIONS,
  SYSTEM_PROGRAM,
} from '../instruction-programs.ts';
import type { DecodedInstruction, InstructionFields, RawInstruction } from '../instruction-types.ts';
import { readAddressAt } from '../read-address-at.ts';
import { instructionSentence } from './instruction-summary.ts';

interface Reading {
  readonly name: string;
  readonly data: InstructionFields;
  /** Role of each account, in order. Additional accounts get the role `account`. */
  readonly roles: readonly string[];
}

const view = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);
const other = (name: string): Reading => ({ name, data: { type: 'other' }, roles: [] });

type Accounts = RawInstruction<Address | null>['accounts'];
const named = (accounts: Accounts, index: number): Address | null => accounts[index]?.address ?? null;

const readSystem = ({ accounts, data }: RawInstruction<Address | null>): Reading => {
  if (data.length < 4) return other('unknown');
  const number = view(data).getUint32(0, true);
  const name = SYSTEM_INSTRUCTIONS[number] ?? 'unknown';
  if (number === 0 && data.length === 52 && accounts.length === 2) {
    return {
      name,
      roles: ['funding account', 'new account'],
      data: {
        type: 'system.createAccount',
        from: named(accounts, 0),
        newAccount: named(accounts, 1),
        lamports: view(data).getBigUint64(4, true),
        space: view(data).getBigUint64(12, true),
        owner: readAddressAt(data, 20),
      },
    };
  }
  if (number === 2 && data.length === 12 && accounts.length === 2) {
    const lamports = view(data).getBigUint64(4, true);
    return {
      name,
      roles: ['sender', 'recipient'],
      data: { type: 'system.transfer', from: named(accounts, 0), to: named(accounts, 1), lamports },
    };
  }
  if (number === 3) return readCreateWithSeed(name, { accounts, data });
  if (number === 4 && data.length === 4 && accounts.length === 3) {
    return {
      name,
      roles: ['nonce account', 'recent blockhashes sysvar', 'nonce authority'],
      data: {
        type: 'system.advanceNonceAccount',
        nonceAccount: named(accounts, 0),
        nonceAuthority: named(accounts, 2),
      },
    };
  }
  if (number === 5 && data.length === 12 && accounts.length === 5) {
    return {
      name,
      roles: ['nonce account', 'recipient', 'recent blockhashes sysvar', 'rent sysvar', 'nonce authority'],
      data: {
        type: 'system.withdrawNonceAccount',
        nonceAccount: named(accounts, 0),
        recipient: named(accounts, 1),
        nonceAuthority: named(accounts, 4),
        lamports: view(data).getBigUint64(4, true),
      },
    };
  }
  if (number === 6 && data.length === 36 && accounts.length === 3) {
    return {
      name,
      roles: ['nonce account', 'recent blockhashes sysvar', 'rent sysvar'],
      data: {
        type: 'system.initializeNonceAccount',
        nonceAccount: named(accounts, 0),
        authority: readAddressAt(data, 4),
      },
    };
  }
  return other(name);
};

/** Length of CreateAccountWithSeed's data without its seed: number, base, seed length, lamports, space, owner. */
const WITH_SEED_BYTES = 4 + 32 + 8 + 8 + 8 + 32;

/** Decodes CreateAccountWithSeed. A base other than the payer also signs, as a third account. */
const readCreateWithSeed = (
  name: string,
  { accounts, data }: Pick<RawInstruction<Address | null>, 'accounts' | 'data'>,
): Reading => {
  const seedBytes = data.length - WITH_SEED_BYTES;
  if (seedBytes < 0 || view(data).getBigUint64(36, true) !== BigInt(seedBytes) || accounts.length < 2)
    return other(name);
  const rest = 44 + seedBytes;
  return {
    name,
    roles: ['funding account', 'new account', 'base account'],
    data: {
      type: 'system.createAccount',
      from: named(accounts, 0),
      newAccount: named(accounts, 1),
      lamports: view(data).getBigUint64(rest, true),
      space: view(data).getBigUint64(rest + 8, true),
      owner: readAddressAt(data, rest + 16),
      derivedFrom: {
        base: readAddressAt(data, 4),
        seed: new TextDecoder().decode(data.subarray(44, rest)),
      },
    },
  };
};

/**
 * Returns the positions of the accounts that are not sysvars, because older forms have sysvars between the
 * significant accounts.
 */
const meaningful = (accounts: Accounts): readonly number[] =>
  accounts.flatMap(({ address }, index) => (address !== null && STAKE_SYSVARS.has(address) ? [] : [index]));

const readStake = ({ accounts, data }: RawInstruction<Address | null>): Reading => {
  if (data.length < 4) return other('unknown');
  const number = view(data).getUint32(0, true);
  const name = STAKE_INSTRUCTIONS[number] ?? 'unknown';
  const positions = meaningful(accounts);
  const at = (index: number): Address | null =>
    positions[index] === undefined ? null : named(accounts, positions[index]);
  const reading = (data: InstructionFields, ...roles: string[]): Reading => {
    const byPosition = accounts.map(
      ({ address }) => (address !== null && STAKE_SYSVARS.get(address)) || 'account',
    );
    roles.forEach((role, index) => {
      const position = positions[index];
      if (position !== undefined) byPosition[position] = role;
    });
    return { name, data, roles: byPosition };
  };
  if (number === 0 && data.length === 116 && positions.length === 1) {
    const lockup = {
      unixTimestamp: view(data).getBigInt64(68, true),
      epoch: view(data).getBigUint64(76, true),
      custodian: readAddressAt(data, 84),
    };
    const fields = { staker: readAddressAt(data, 4), withdrawer: readAddressAt(data, 36), lockup };
    return reading({ type: 'stake.initialize', stakeAccount: at(0), ...fields }, 'stake account');
  }
  if (number === 2 && data.length === 4 && positions.length === 3) {
    const fields = { stakeAccount: at(0), voteAccount: at(1), stakeAuthority: at(2) };
    return reading(
      { type: 'stake.delegateStake', ...fields },
      'stake account',
      'vote account',
      'stake authority',
    );
  }
  if (number === 4 && data.length === 12 && (positions.length === 3 || positions.length === 4)) {
    const fields = { stakeAccount: at(0), recipient: at(1), withdrawAuthority: at(2), custodian: at(3) };
    const lamports = view(data).getBigUint64(4, true);
    return reading(
      { type: 'stake.withdraw', ...fields, lamports },
      'stake account',
      'recipient',
      'withdraw authority',
      'lockup custodian',
    );
  }
  if (number === 5 && data.length === 4 && positions.length === 2) {
    return reading(
      { type: 'stake.deactivate', stakeAccount: at(0), stakeAuthority: at(1) },
      'stake account',
      'stake authority',
    );
  }
  if (number === 7 && data.length === 4 && positions.length === 3) {
    return reading(
      { type: 'stake.merge', stakeAccount: at(0), from: at(1), stakeAuthority: at(2) },
      'stake account',
      'merged stake account',
      'stake authority',
    );
  }
  const moving = STAKE_MOVES.get(number);
  if (moving !== undefined && data.length === 12 && positions.length === 3) {
    const fields = { stakeAccount: at(0), into: at(1), stakeAuthority: at(2) };
    const lamports = view(data).getBigUint64(4, true);
    return reading(
      { type: moving, ...fields, lamports },
      'stake account',
      'receiving stake account',
      'stake authority',
    );
  }
  if (number === 1 && data.length === 40 && (positions.length === 2 || positions.length === 3)) {
    const role = STAKE_ROLES[view(data).getUint32(36, true)];
    if (role === undefined) return other(name);
    const fields = { stakeAccount: at(0), authority: at(1), custodian: at(2) };
    return reading(
      { type: 'stake.authorize', ...fields, role, newAuthority: readAddressAt(data, 4) },
      'stake account',
      'authority',
      'lockup custodian',
    );
  }
  return other(name);
};

/** Names of the instructions that move lamports between two stake accounts, by their number. */
const STAKE_MOVES = new Map([
  [3, 'stake.split'],
  [16, 'stake.moveStake'],
  [17, 'stake.moveLamports'],
] as const) as ReadonlyMap<number, 'stake.split' | 'stake.moveStake' | 'stake.moveLamports'>;
const STAKE_ROLES: readonly ('staker' | 'withdrawer')[] = ['staker', 'withdrawer'];

/** Length in bytes of each Compute Budget instruction, including its number. */
const COMPUTE_BUDGET_BYTES: readonly number[] = [Number.POSITIVE_INFINITY, 5, 5, 9, 5];

// The runtime ignores trailing bytes: a price with an extra byte is still charged.
const readComputeBudget = ({ data }: RawInstruction<Address | null>): Reading => {
  const number = data[0] ?? 0;
  if (data.length < (COMPUTE_BUDGET_BYTES[number] ?? Number.POSITIVE_INFINITY)) return other('unknown');
  if (number === 2)
    return {
      name: 'setComputeUnitLimit',
      roles: [],
      data: { type: 'computeBudget.setComputeUnitLimit', units: view(data).getUint32(1, true) },
    };
  if (number === 3)
    return {
      name: 'setComputeUnitPrice',
      roles: [],
      data: { type: 'computeBudget.setComputeUnitPrice', microLamports: view(data).getBigUint64(1, true) },
    };
  return other(number === 1 ? 'requestHeapFrame' : 'setLoadedAccountsDataSizeLimit');
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const readMemo = ({ accounts, data }: RawInstruction<Address | null>): Reading => {
  let text: string | null = null;
  try {
    text = strictUtf8.decode(data);
  } catch {
    // The text stays null, because the program refuses such a memo and it must not be shown.
  }
  return { name: 'addMemo', roles: accounts.map(() => 'memo signer'), data: { type: 'memo', text } };
};

const readLighthouse = ({ accounts, data }: RawInstruction<Address | null>): Reading => {
  const number = data[0] ?? -1;
  const name = LIGHTHOUSE_ASSERTIONS.get(number);
  return name === undefined
    ? other(LIGHTHOUSE_MEMORY[number] ?? 'unknown')
    : { name, roles: accounts.map(() => 'asserted account'), data: { type: 'lighthouse.assertion' } };
};

const read = (raw: RawInstruction<Address | null>): Reading => {
  if (raw.programId === SYSTEM_PROGRAM) return readSystem(raw);
  if (raw.programId === STAKE_PROGRAM) return readStake(raw);
  if (raw.programId === COMPUTE_BUDGET_PROGRAM) return readComputeBudget(raw);
  if (raw.programId === LIGHTHOUSE_PROGRAM) return readLighthouse(raw);
  // In all three programs, the first byte is the number of signatures to verify.
  if (PRECOMPILES.has(raw.programId))
    return { name: 'verify', roles: [], data: { type: 'precompile.verify', signatures: raw.data[0] ?? 0 } };
  if (MEMO_PROGRAMS.includes(raw.programId)) return readMemo(raw);
  return other('unknown');
};

/** Decodes one instruction. Never throws: unknown data is returned with `data.type` `other`. */
export const decodeInstruction = <A extends Address | null>(
  raw: RawInstruction<A>,
): DecodedInstruction<A> => {
  const { name, data, roles } = read(raw);
  const program = PROGRAM_NAMES.get(raw.programId) ?? raw.programId;
  return {
    program,
    programId: raw.programId,
    name,
    ...sentenceMembers('summary', instructionSentence(data, program, name)),
    accounts: raw.accounts.map((account, index) => ({ ...account, role: roles[index] ?? 'account' })),
    data,
  };
};
