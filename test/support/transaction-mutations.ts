// Changes that a dishonest service or wallet could make to a transaction: other accounts, roles, bytes,
// programs and payers, extra or repeated instructions, guards, and lookup tables.
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import {
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  MEMO_PROGRAMS,
  STAKE_PROGRAM,
  STAKE_SYSVARS,
  SYSTEM_PROGRAM,
} from '../../src/domain/instruction-programs.ts';
import { guardBytes, RECORDED_GUARDS, RECORDED_MEMORY } from './recorded-guards.ts';
import {
  advanceNonce,
  authorizeStaker,
  merge,
  moveLamports,
  setLockup,
  split,
  transfer,
  withdrawNonce,
} from './truth-instructions.ts';
import { keyBytes } from './truth-message.ts';
import type { TruthRandom } from './truth-random.ts';

/** Addresses that may occur in the changed transactions. */
export interface TransactionCast {
  readonly wallet: Address;
  readonly outsider: Address;
  readonly stakeAccount: Address;
  readonly newStakeAccount: Address;
  /** The address derived from the wallet and a seed. */
  readonly seededStakeAccount: Address;
  /** The address derived from the outsider and the same seed. */
  readonly outsidersSeededAccount: Address;
  readonly outsidersStakeAccount: Address;
  readonly voteAccount: Address;
  readonly otherVoteAccount: Address;
  readonly donationAddress: Address;
  readonly nonceAccount: Address;
  readonly outsidersNonceAccount: Address;
  readonly sponsor: Address;
  /** Receives the stake authority of a new stake, if that was requested. */
  readonly agent: Address;
}

interface Parts {
  readonly programAddress: Address;
  readonly accounts: readonly { readonly address: Address; readonly role: AccountRole }[];
  readonly data: Uint8Array;
}

const partsOf = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): Parts => ({
  programAddress,
  accounts: accounts.map(({ address, role }) => ({ address, role })),
  data: Uint8Array.from(data),
});

const ROLES = [
  AccountRole.READONLY,
  AccountRole.WRITABLE,
  AccountRole.READONLY_SIGNER,
  AccountRole.WRITABLE_SIGNER,
];

const budget = (...data: number[]): Instruction => ({
  programAddress: COMPUTE_BUDGET_PROGRAM,
  data: Uint8Array.from(data),
});

/**
 * Returns a recorded Lighthouse instruction, sometimes with a different instruction number, with any accounts
 * in any role.
 */
const guardFor = (cast: TransactionCast, random: TruthRandom): Instruction => {
  const data = guardBytes(random.pick([...RECORDED_GUARDS, ...RECORDED_GUARDS, ...RECORDED_MEMORY]));
  const accounts = Array.from({ length: random.pick([1, 1, 1, 0, 2, 5]) }, () => ({
    address: random.pick([cast.wallet, cast.wallet, ...Object.values(cast)]),
    role: random.pick([AccountRole.READONLY, AccountRole.READONLY, ...ROLES]),
  }));
  return {
    programAddress: LIGHTHOUSE_PROGRAM,
    accounts,
    data: random.int(5) === 0 ? data.with(0, random.int(256)) : data,
  };
};

const extrasFor = (cast: TransactionCast, random: TruthRandom): Instruction => {
  const { wallet, outsider, stakeAccount, outsidersStakeAccount, newStakeAccount } = cast;
  const { nonceAccount, outsidersNonceAccount } = cast;
  const tail = [...random.bytes(random.int(3))];
  const price = () => [...random.bytes(1 + random.int(4)), ...new Uint8Array(8)].slice(0, 8);
  return random.pick<() => Instruction>([
    () => transfer(wallet, outsider, 1_000_000n),
    () => transfer(cast.sponsor, outsider, 1_000_000n),
    () => split(stakeAccount, outsidersStakeAccount, wallet, 2_000_000_000n),
    () => merge(outsidersStakeAccount, stakeAccount, wallet),
    () => moveLamports(stakeAccount, outsidersStakeAccount, wallet, 1_000_000n),
    () => authorizeStaker(random.pick([stakeAccount, newStakeAccount]), wallet, outsider),
    () => advanceNonce(random.pick([nonceAccount, outsidersNonceAccount]), random.pick([wallet, outsider])),
    () => withdrawNonce(nonceAccount, wallet, outsider, 1_000n),
    () => setLockup(stakeAccount, wallet, { unixTimestamp: 2n ** 40n, epoch: 0n, custodian: outsider }),
    () => ({
      programAddress: MEMO_PROGRAM,
      data: random.bytes(1 + random.int(5)).map((byte) => byte & 0x7f),
    }),
    () => budget(3, ...price(), ...tail),
    () => budget(3, ...price(), ...tail),
    () => budget(2, 64, 66, random.int(16), 0, ...tail),
    () => budget(1, 0, 128, random.int(3), 0, ...tail),
    () => budget(4, 0, 0, 1 + random.int(60), 0, ...tail),
    () => budget(random.int(6), ...tail),
    () => guardFor(cast, random),
    () => guardFor(cast, random),
    () => guardFor(cast, random),
    () => guardFor(cast, random),
  ])();
};

const changedAccounts = (parts: Parts, cast: TransactionCast, random: TruthRandom): Parts => {
  const pool = [...Object.values(cast), ...STAKE_SYSVARS.keys(), SYSTEM_PROGRAM, STAKE_PROGRAM];
  const at = random.int(parts.accounts.length + 1);
  const account = { address: random.pick(pool), role: random.pick(ROLES) };
  const there = parts.accounts[at];
  const accounts = random.pick([
    () => parts.accounts.toSpliced(at, 0, account),
    () => parts.accounts.toSpliced(at, 1),
    () => parts.accounts.toSpliced(at, 1, account),
    () => (there ? parts.accounts.with(at, { ...there, role: account.role }) : parts.accounts),
    () => (there ? parts.accounts.with(at, { ...there, address: account.address }) : parts.accounts),
    () => (there ? parts.accounts.with(at, { ...there, address: account.address }) : parts.accounts),
    () => (there ? parts.accounts.toSpliced(random.int(parts.accounts.length), 0, there) : parts.accounts),
  ])();
  return { ...parts, accounts };
};

const changedData = (parts: Parts, cast: TransactionCast, random: TruthRandom): Parts => {
  const data = Uint8Array.from(parts.data);
  const at = random.int(data.length + 1);
  const withKey = (): Uint8Array => {
    const key = keyBytes(random.pick(Object.values(cast)));
    const offset = random.pick([4, 20, 36, 84, 92]);
    if (data.length >= offset + key.length) data.set(key, offset);
    return data;
  };
  const changed = random.pick([
    withKey,
    withKey,
    () => data.with(Math.min(at, data.length - 1), random.int(256)),
    () => Uint8Array.from([...data, ...random.bytes(1 + random.int(4))]),
    () => data.slice(0, at),
  ]);
  return data.length === 0 ? parts : { ...parts, data: changed() };
};

/**
 * Replaces a memo program with another, which may pass, or any program with a different one, which must not
 * pass.
 */
const changedProgram = (parts: Parts, random: TruthRandom): Parts => ({
  ...parts,
  programAddress: MEMO_PROGRAMS.includes(parts.programAddress)
    ? random.pick([...MEMO_PROGRAMS, SYSTEM_PROGRAM])
    : random.pick([
        ...MEMO_PROGRAMS,
        SYSTEM_PROGRAM,
        STAKE_PROGRAM,
        COMPUTE_BUDGET_PROGRAM,
        LIGHTHOUSE_PROGRAM,
      ]),
});

/** Returns the same transaction for another wallet, with every `from` replaced by `to`. */
export const recast = (
  instructions: readonly Instruction[],
  from: Address,
  to: Address,
): readonly Instruction[] =>
  instructions.map(partsOf).map(({ programAddress, accounts, data }) => {
    const bytes = Buffer.from(data);
    const key = keyBytes(from);
    for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) bytes.set(keyBytes(to), at);
    return {
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address: address === from ? to : address, role })),
      data: Uint8Array.from(bytes),
    };
  });

export const mutated = (
  instructions: readonly Instruction[],
  cast: TransactionCast,
  random: TruthRandom,
): readonly Instruction[] => {
  let parts = instructions.map(partsOf);
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const at = random.int(parts.length);
    const there = parts[at];
    if (there === undefined) break;
    parts = random.pick([
      () => parts.with(at, changedAccounts(there, cast, random)),
      () => parts.with(at, changedAccounts(there, cast, random)),
      () => parts.with(at, changedData(there, cast, random)),
      () => parts.with(at, changedData(there, cast, random)),
      () => parts.toSpliced(random.int(parts.length + 1), 0, partsOf(extrasFor(cast, random))),
      () => parts.toSpliced(random.int(parts.length + 1), 0, partsOf(extrasFor(cast, random))),
      () => parts.toSpliced(random.int(parts.length + 1), 0, there),
      () => parts.toSpliced(at, 1),
      () => parts.with(at, changedProgram(there, random)),
    ])();
  }
  return parts;
};
