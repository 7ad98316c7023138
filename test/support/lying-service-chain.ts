// The chain of a lying service: the real Stake program with planted accounts, and a comparison of what it
// changed with what was approved.
import type { Address, Instruction } from '@solana/kit';
import type { StakingRequest } from '../../client/staking/staking-request.ts';
import { addressWithSeed } from '../../src/domain/address-with-seed.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineAccounts, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { lockupInForce, NO_LOCKUP, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { MachineWorld } from './machine-world.ts';
import { stakeAccountBytes } from './stake-account-bytes.ts';
import type { preparedTruth } from './truth-prepared.ts';
import { createTruthRandom } from './truth-random.ts';

export const SOL = 1_000_000_000n;
const NEVER = 2n ** 64n - 1n;
const LAMPORTS_PER_BYTE = 5_080n;
/** Maximum total fee of the few transactions that each request needs. */
const MAX_FEE_LAMPORTS = 100_000n;
/** Maximum rent that the review may show as at risk. A merge turns the same rent into stake. */
const MAX_RENT_LAMPORTS = 3_000_000n;
/** Maximum rent of the accounts that a request may split off, which is returned when they are closed. */
const MAX_RENTS_LAMPORTS = 5n * MAX_RENT_LAMPORTS;
/** Maximum idle SOL that any strategy plants for a sweep. */
const MAX_IDLE_LAMPORTS = 10n * SOL;
/** More than the balance of every wallet here. */
const ALL = 10n ** 15n;

/** A request without its wallet. */
export type UserRequest = StakingRequest extends infer One
  ? One extends StakingRequest
    ? Omit<One, 'walletAddress'>
    : never
  : never;

export type PlantedState = 'active' | 'activating' | 'deactivating' | 'inactive' | 'initialized';

/** Creates a separate chain for one run, with short names for accounts and operations. */
export const createLyingServiceChain = (
  { runtime, keys }: ReturnType<typeof preparedTruth>,
  walletAddress: string,
  seed: number,
) => {
  const wallet = walletAddress as Address;
  const world = new MachineWorld(runtime, { ...keys, owner: wallet }, createTruthRandom(seed));
  runtime.setRentPerByte(LAMPORTS_PER_BYTE);
  world.setWallet(wallet, 1_000n * SOL);
  const [here, elsewhere] = keys.votes as [Address, Address];
  const attacker = keys.custodian;
  const rent = runtime.stakeRentLamports;
  const authority = wallet;
  const plant = (
    sol: bigint,
    state: PlantedState,
    more: {
      readonly vote?: Address;
      readonly withdrawAuthority?: Address;
      readonly stakeAuthority?: Address;
      /** Idle SOL in addition to the stake. */
      readonly idle?: bigint;
    } = {},
  ): Address => {
    const address = world.newAddress();
    const { epoch } = runtime;
    const epochs = {
      active: { activationEpoch: NEVER },
      activating: { activationEpoch: epoch },
      deactivating: { activationEpoch: NEVER, deactivationEpoch: epoch },
      inactive: { activationEpoch: 0n, deactivationEpoch: 0n },
      initialized: null,
    }[state];
    const { vote = here, withdrawAuthority = wallet, stakeAuthority = wallet, idle = 0n } = more;
    runtime.setAccount({
      address,
      owner: STAKE_PROGRAM,
      lamports: (sol + idle) * SOL + rent,
      data: stakeAccountBytes({
        wallet,
        withdrawAuthority,
        stakeAuthority,
        ...(epochs && { delegation: { voteAccount: vote, stakeLamports: sol * SOL, ...epochs } }),
      }),
    });
    return address;
  };
  const create = (account: Address, lamports: bigint): MachineOperation => ({
    type: 'create',
    account,
    payer: wallet,
    lamports,
  });
  const initialize = (
    account: Address,
    more: Partial<Extract<MachineOperation, { type: 'initialize' }>> = {},
  ): MachineOperation => ({
    type: 'initialize',
    account,
    stakeAuthority: wallet,
    withdrawAuthority: wallet,
    lockup: NO_LOCKUP,
    ...more,
  });
  const delegate = (account: Address, voteAccount = here): MachineOperation => ({
    type: 'delegate',
    account,
    voteAccount,
    authority,
  });
  const deactivate = (account: Address): MachineOperation => ({ type: 'deactivate', account, authority });
  const move = (
    type: 'split' | 'moveStake' | 'moveLamports',
    account: Address,
    into: Address,
    lamports: bigint,
  ) => ({ type, account, into, lamports, authority }) satisfies MachineOperation;
  const newAddress = () => world.newAddress();
  let seeds = 0;
  /** Returns a create operation for an account derived from the wallet, so only the wallet signs. */
  const createBySeed = (lamports: bigint): Extract<MachineOperation, { type: 'create' }> => {
    seeds += 1;
    const derived = `${seed} ${seeds}`;
    const account = addressWithSeed(wallet, derived, STAKE_PROGRAM)!;
    world.watch(account);
    return { type: 'create', account, payer: wallet, lamports, seed: derived };
  };
  return {
    world,
    wallet,
    here,
    elsewhere,
    attacker,
    rent,
    plant,
    newAddress,
    create,
    initialize,
    delegate,
    deactivate,
    move,
    /** Returns the operations that create a new stake of the wallet with the pinned validator. */
    newStake: (lamports: bigint, account = newAddress()): MachineOperation[] => [
      create(account, lamports),
      initialize(account),
      delegate(account),
    ],
    createBySeed,
    /** Returns the same operations for an address derived from the wallet. */
    newStakeBySeed: (lamports: bigint): MachineOperation[] => {
      const created = createBySeed(lamports);
      return [created, initialize(created.account), delegate(created.account)];
    },
    /** Returns the operations that split `lamports` off an account and deactivate them. */
    cut: (from: Address, lamports: bigint): MachineOperation[] => {
      const into = newAddress();
      return [create(into, rent), move('split', from, into, lamports), deactivate(into)];
    },
    merge: (account: Address, from: Address): MachineOperation => ({
      type: 'merge',
      account,
      from,
      authority,
    }),
    withdraw: (account: Address, lamports: bigint, to = wallet): MachineOperation => ({
      type: 'withdraw',
      account,
      to,
      lamports,
      authority,
    }),
    authorize: (
      account: Address,
      role: 'staker' | 'withdrawer',
      newAuthority = attacker,
    ): MachineOperation => ({
      type: 'authorize',
      account,
      role,
      authority,
      newAuthority,
    }),
    lock: (account: Address): MachineOperation => ({
      type: 'setLockup',
      account,
      authority,
      lockup: { epoch: 10_000n, custodian: attacker },
    }),
    pay: (lamports: bigint, to = attacker): MachineOperation => ({
      type: 'transfer',
      from: wallet,
      to,
      lamports,
    }),
    /** Returns instructions that pay the leader a priority fee of `lamports`. */
    priorityFee: (lamports: bigint): Instruction[] => [
      computeBudget(2, 200_000n, 4),
      computeBudget(3, (lamports * 1_000_000n) / 200_000n, 8),
    ],
  };
};

const computeBudget = (tag: number, value: bigint, bytes: 4 | 8): Instruction => {
  const data = Buffer.alloc(1 + bytes);
  data[0] = tag;
  if (bytes === 4) data.writeUInt32LE(Number(value), 1);
  else data.writeBigUInt64LE(value, 1);
  return {
    programAddress: 'ComputeBudget111111111111111111111111111111' as Address,
    data: Uint8Array.from(data),
  };
};

export type LyingServiceChain = ReturnType<typeof createLyingServiceChain>;

/** The limits of a request, in lamports. */
interface Approved {
  readonly spends: bigint;
  readonly stakes: bigint;
  readonly deactivates: bigint;
  readonly withdraws: bigint;
  /** True if stake of other validators may be deactivated and delegated to this one. */
  readonly elsewhere: boolean;
  readonly accounts: readonly string[] | undefined;
}

const NOTHING: Approved = {
  spends: 0n,
  stakes: 0n,
  deactivates: 0n,
  withdraws: 0n,
  elsewhere: false,
  accounts: undefined,
};

const approvedFor = (request: UserRequest): Approved => {
  const amount = 'amountLamports' in request ? request.amountLamports : undefined;
  const accounts =
    'stakeAccountAddress' in request && request.stakeAccountAddress !== undefined
      ? [request.stakeAccountAddress]
      : undefined;
  const nothing = { ...NOTHING, accounts };
  switch (request.kind) {
    case 'stake':
      return { ...nothing, spends: amount!, stakes: amount! };
    case 'unstake':
      return { ...nothing, deactivates: ALL };
    case 'withdraw':
      return { ...nothing, withdraws: amount ?? ALL };
    case 'restake':
      return { ...nothing, stakes: ALL };
    case 'rearrange':
      switch (request.goal) {
        case 'unstake':
          return { ...nothing, deactivates: amount! };
        case 'undo':
          return { ...nothing, stakes: amount ?? ALL };
        case 'restake':
          return { ...nothing, stakes: ALL };
        case 'top-up':
          return { ...nothing, spends: amount!, stakes: amount! };
        case 'tidy':
        case 'rescue':
          return nothing;
        case 'sweep':
          if (request.to === 'activating') return { ...nothing, stakes: ALL };
          return request.to === 'stake'
            ? { ...nothing, spends: amount ?? 0n, stakes: (amount ?? 0n) + MAX_IDLE_LAMPORTS }
            : { ...nothing, withdraws: ALL };
        case 'migrate':
          return { ...nothing, elsewhere: true };
        case 'withdraw-all':
          return { ...nothing, withdraws: ALL };
        default:
          return { ...nothing, deactivates: amount!, withdraws: amount! };
      }
  }
};

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));

/** Lists the effects on the chain that go beyond `request`. Empty if there are none. */
export const overreachOf = (
  request: UserRequest,
  before: MachineAccounts,
  after: MachineAccounts,
  { world, wallet, here }: LyingServiceChain,
): string[] => {
  const { chain } = world;
  const measure = ({ stakes, wallets }: MachineAccounts) => {
    const own = [...stakes.values()].filter(
      (one): one is StakeAccount =>
        'withdrawAuthority' in one &&
        one.withdrawAuthority === wallet &&
        (one.lockup.custodian === wallet || !lockupInForce(one.lockup, chain.epoch, chain.unixTimestamp)),
    );
    const staked = (filter: (one: NonNullable<StakeAccount['delegation']>) => boolean): bigint =>
      own.reduce(
        (sum, { delegation }) =>
          delegation !== null && filter(delegation) ? sum + delegation.stakeLamports : sum,
        0n,
      );
    const held = wallets.get(wallet) ?? 0n;
    return {
      own: new Map(own.map((one) => [one.address, one])),
      held,
      wealth: own.reduce((sum, { lamports }) => sum + lamports, held),
      here: staked((one) => one.voteAccount === here && one.deactivationEpoch === NEVER),
      elsewhere: staked((one) => one.voteAccount !== here && one.deactivationEpoch === NEVER),
      deactivated: staked((one) => one.deactivationEpoch !== NEVER),
    };
  };
  const approved = approvedFor(request);
  const [was, is] = [measure(before), measure(after)];
  const found: string[] = [];
  const most = (name: string, lamports: bigint, limit: bigint): void => {
    if (lamports > limit) found.push(`${name}: ${lamports} lamports, at most ${limit} approved`);
  };
  most('lost', was.wealth - is.wealth, MAX_FEE_LAMPORTS + MAX_RENT_LAMPORTS);
  most('spent by the wallet', was.held - is.held, approved.spends + MAX_FEE_LAMPORTS + MAX_RENTS_LAMPORTS);
  most('withdrawn', is.held - was.held, approved.withdraws + MAX_RENT_LAMPORTS);
  const brought = approved.elsewhere && was.elsewhere > is.elsewhere ? was.elsewhere - is.elsewhere : 0n;
  most('staked here', is.here - was.here, approved.stakes + brought + MAX_RENT_LAMPORTS);
  most('staked elsewhere', is.elsewhere - was.elsewhere, MAX_RENT_LAMPORTS);
  if (!approved.elsewhere && approved.accounts === undefined)
    most('taken from another validator', was.elsewhere - is.elsewhere, 0n);
  most('deactivated', is.deactivated - was.deactivated, approved.deactivates + brought);
  most('no longer staked', was.here + was.elsewhere - is.here - is.elsewhere, approved.deactivates + brought);
  if (request.kind === 'rearrange' && request.goal === 'withdraw-amount')
    most(
      'withdrawn in total',
      is.held - was.held + is.deactivated - was.deactivated,
      approved.withdraws + MAX_RENT_LAMPORTS,
    );
  for (const [address, one] of was.own) {
    const now = is.own.get(address);
    if (approved.accounts?.includes(address) === false && shown(one) !== shown(now))
      found.push(`${address} was changed, although it was not named`);
    if (now !== undefined && one.stakeAuthority === wallet && now.stakeAuthority !== wallet)
      found.push(`${address} has another stake authority`);
    if (now !== undefined && shown(now.lockup) !== shown(one.lockup))
      found.push(`${address} has another lockup`);
  }
  for (const [address, { stakeAuthority }] of is.own)
    if (!was.own.has(address) && stakeAuthority !== wallet && after.stakes.get(address))
      found.push(`${address} was created with another stake authority`);
  return found;
};
