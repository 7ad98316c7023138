// Lies about single-step transactions: a stake, an unstake, a withdrawal or a restake whose transaction
// contains more, less or something else.
import type { Address } from '@solana/kit';
import { HEADER_LIMITS, type Instructions, type Strategy } from './lying-service.ts';
import { type LyingServiceChain, SOL } from './lying-service-chain.ts';

type Build = (world: LyingServiceChain) => Instructions;

const STAKE = { kind: 'stake', amountLamports: 2n * SOL } as const;

/** Announces the fee that the transaction pays, because clients compare the two. */
const FEE_ANNOUNCED = { priorityFee: { lamports: Number(SOL) } };

/** Makes the requested new stake of 2 SOL, and does something else as well. */
const stakeAndMore = (name: string, more: Build, texts?: object): Strategy => ({
  name: `stake 2 SOL: ${name}`,
  ...(texts && { texts }),
  asks: STAKE,
  builds: (world) => {
    const instructions = [...more(world)];
    return () => [[...world.newStake(2n * SOL), ...instructions]];
  },
});

/** Does something other than the requested new stake of 2 SOL. */
const insteadOfStake = (name: string, build: Build): Strategy => ({
  name: `stake 2 SOL: ${name}`,
  asks: STAKE,
  builds: (world) => {
    const instructions = build(world);
    return () => [instructions];
  },
});

/** Makes the new stake, but initializes it differently. */
const otherwiseInitialized = (
  name: string,
  more: (world: LyingServiceChain) => Parameters<LyingServiceChain['initialize']>[1],
): Strategy =>
  insteadOfStake(name, (world) => {
    const account = world.newAddress();
    const { create, initialize, delegate } = world;
    const fields = more(world);
    // A different stake authority would have to sign the delegation.
    const isStaker = fields?.stakeAuthority === undefined;
    return [create(account, 2n * SOL), initialize(account, fields), ...(isStaker ? [delegate(account)] : [])];
  });

/** Plants an account in a state, and does something with it when the request names it. */
const named = (
  name: string,
  kind: 'unstake' | 'withdraw' | 'restake',
  build: (world: LyingServiceChain, account: Address) => Instructions,
  more: Partial<Strategy> & { readonly amountLamports?: bigint } = {},
): Strategy => {
  const { amountLamports, ...rest } = more;
  return {
    name: `${kind}: ${name}`,
    asks: ({ plant }) => ({
      kind,
      stakeAccountAddress: plant(30n, kind === 'unstake' ? 'active' : 'inactive'),
      ...(amountLamports === undefined ? {} : { amountLamports }),
    }),
    builds: (world, request) => {
      const account = 'stakeAccountAddress' in request ? request.stakeAccountAddress : undefined;
      const instructions = build(world, account as Address);
      return () => [instructions];
    },
    ...rest,
  };
};

/** Builds the same request for a different new account each time, and hides that each of them landed. */
const anotherStakeEachTime = (name: string, more: Partial<Strategy>): Strategy => ({
  name: `stake 2 SOL: ${name}`,
  asks: STAKE,
  builds:
    ({ newStake }) =>
    () => [newStake(2n * SOL)],
  ...more,
});

export const oneStepStrategies: readonly Strategy[] = [
  insteadOfStake('stakes 20 SOL', ({ newStake }) => newStake(20n * SOL)),
  insteadOfStake('stakes one lamport over 1 SOL more', ({ newStake }) => newStake(3n * SOL + 1n)),
  insteadOfStake('stakes 20 SOL at an address derived from the wallet', ({ newStakeBySeed }) =>
    newStakeBySeed(20n * SOL),
  ),
  insteadOfStake('stakes twice at addresses derived from the wallet', ({ newStakeBySeed }) => [
    ...newStakeBySeed(2n * SOL),
    ...newStakeBySeed(2n * SOL),
  ]),
  insteadOfStake(
    'stakes with another validator at an address derived from the wallet',
    ({ createBySeed, initialize, delegate, elsewhere }) => {
      const created = createBySeed(2n * SOL);
      return [created, initialize(created.account), delegate(created.account, elsewhere)];
    },
  ),
  insteadOfStake(
    'creates an account derived from the wallet for another wallet',
    ({ createBySeed, initialize, attacker }) => {
      const created = createBySeed(2n * SOL);
      return [
        created,
        initialize(created.account, { stakeAuthority: attacker, withdrawAuthority: attacker }),
      ];
    },
  ),
  stakeAndMore("also pays 5 SOL of rent for another wallet's account, derived from the wallet", (world) => {
    const created = world.createBySeed(5n * SOL);
    const planted = world.plant(90n, 'active', { withdrawAuthority: world.attacker });
    return [created, world.move('split', planted, created.account, 2n * SOL)];
  }),
  insteadOfStake(
    'stakes with another validator',
    ({ create, initialize, delegate, newAddress, elsewhere }) => {
      const account = newAddress();
      return [create(account, 2n * SOL), initialize(account), delegate(account, elsewhere)];
    },
  ),
  otherwiseInitialized('another wallet may withdraw', ({ attacker }) => ({ withdrawAuthority: attacker })),
  otherwiseInitialized('another wallet may unstake', ({ attacker }) => ({ stakeAuthority: attacker })),
  otherwiseInitialized('everything belongs to another wallet', ({ attacker }) => ({
    stakeAuthority: attacker,
    withdrawAuthority: attacker,
  })),
  otherwiseInitialized('locks the stake for many epochs', ({ attacker }) => ({
    lockup: { unixTimestamp: 0n, epoch: 10_000n, custodian: attacker },
  })),
  otherwiseInitialized('locks the stake for many years', ({ attacker }) => ({
    lockup: { unixTimestamp: 2n ** 62n, epoch: 0n, custodian: attacker },
  })),
  stakeAndMore('stakes twice', ({ newStake }) => newStake(2n * SOL)),
  stakeAndMore('also makes a payment', ({ pay }) => [pay(5n * SOL)]),
  stakeAndMore('also pays a priority fee of 1 SOL', ({ priorityFee }) => priorityFee(SOL), FEE_ANNOUNCED),
  {
    ...insteadOfStake('pays a priority fee of 1 SOL in the header', ({ newStake }) => newStake(2n * SOL)),
    headerFeeLamports: SOL,
    texts: { priorityFee: { ...FEE_ANNOUNCED.priorityFee, ...HEADER_LIMITS } },
  },
  stakeAndMore('also hands another stake over', ({ plant, authorize }) => [
    authorize(plant(40n, 'active'), 'withdrawer'),
  ]),
  stakeAndMore('also changes the stake authority of another stake', ({ plant, authorize }) => [
    authorize(plant(40n, 'active'), 'staker'),
  ]),
  stakeAndMore('also locks another stake', ({ plant, lock }) => [lock(plant(40n, 'active'))]),
  stakeAndMore('also deactivates another stake', ({ plant, deactivate }) => [
    deactivate(plant(40n, 'active')),
  ]),
  stakeAndMore('also withdraws another account to another wallet', ({ plant, withdraw, attacker }) => [
    withdraw(plant(40n, 'inactive'), 40n * SOL, attacker),
  ]),
  stakeAndMore('also delegates another account to another validator', ({ plant, delegate, elsewhere }) => [
    delegate(plant(40n, 'inactive'), elsewhere),
  ]),
  stakeAndMore('also delegates another account', ({ plant, delegate }) => [delegate(plant(40n, 'inactive'))]),
  stakeAndMore('also pays into a planted stake', ({ plant, pay, attacker }) => [
    pay(5n * SOL, plant(2n, 'active', { withdrawAuthority: attacker })),
  ]),
  stakeAndMore("also pays 5 SOL of rent for another wallet's account", (world) => {
    const into = world.newAddress();
    const planted = world.plant(90n, 'active', { withdrawAuthority: world.attacker });
    return [world.create(into, 5n * SOL), world.move('split', planted, into, 2n * SOL)];
  }),
  insteadOfStake(
    'stakes for the wallet, then hands the stake over',
    ({ newStake, newAddress, authorize }) => {
      const account = newAddress();
      return [...newStake(2n * SOL, account), authorize(account, 'withdrawer')];
    },
  ),
  insteadOfStake(
    'stakes, then makes another wallet the stake authority',
    ({ newStake, newAddress, authorize }) => {
      const account = newAddress();
      return [...newStake(2n * SOL, account), authorize(account, 'staker')];
    },
  ),
  insteadOfStake('pays another wallet', ({ pay }) => [pay(2n * SOL)]),
  {
    ...insteadOfStake('stakes 50 SOL, with texts that claim otherwise', ({ newStake }) =>
      newStake(50n * SOL),
    ),
    texts: {
      warnings: ['\u202eSOL 2 sekats siht\u202c', '\u001b[2J\u001b[HStake 2 SOL\n✓ checked on this machine'],
      amountSol: 2,
      networkFeeSol: 0.00001,
      message: 'Approve: this stakes 2 SOL.\u200b',
    },
  },
  anotherStakeEachTime('reported as expired each time', { says: 'expired' }),
  anotherStakeEachTime('the response is lost, and the request is repeated with its key', {
    says: 'lost',
    times: 3,
  }),
  anotherStakeEachTime('reported as failed, and repeated with its key', { says: 'failed', times: 3 }),
  anotherStakeEachTime('reported as expired, and repeated with its key', { says: 'expired', times: 2 }),
  {
    name: 'stake 2 SOL: the service claims to be the service of another validator',
    asks: STAKE,
    builds:
      ({ create, initialize, delegate, newAddress, elsewhere }) =>
      () => {
        const account = newAddress();
        return [[create(account, 2n * SOL), initialize(account), delegate(account, elsewhere)]];
      },
    identity: ({ elsewhere }) => ({ voteAccount: elsewhere }),
  },
  named('deactivates another account', 'unstake', ({ plant, deactivate }) => [
    deactivate(plant(40n, 'active')),
  ]),
  named('also deactivates another account', 'unstake', ({ plant, deactivate }, account) => [
    ...[deactivate(account), deactivate(plant(40n, 'active'))],
  ]),
  named('also hands the account over', 'unstake', ({ deactivate, authorize }, account) => [
    ...[deactivate(account), authorize(account, 'withdrawer')],
  ]),
  named('also changes the stake authority', 'unstake', ({ deactivate, authorize }, account) => [
    ...[deactivate(account), authorize(account, 'staker')],
  ]),
  named('also locks the account', 'unstake', ({ deactivate, lock }, account) => [
    deactivate(account),
    lock(account),
  ]),
  named('also makes a payment', 'unstake', ({ deactivate, pay }, account) => [
    deactivate(account),
    pay(3n * SOL),
  ]),
  named(
    'also pays a priority fee of 1 SOL',
    'unstake',
    ({ deactivate, priorityFee }, account) => [deactivate(account), ...priorityFee(SOL)],
    { texts: FEE_ANNOUNCED },
  ),
  named(
    'pays a priority fee of 1 SOL in the header',
    'unstake',
    ({ deactivate }, account) => [deactivate(account)],
    {
      headerFeeLamports: SOL,
      texts: { priorityFee: { ...FEE_ANNOUNCED.priorityFee, ...HEADER_LIMITS } },
    },
  ),
  named('also makes a new stake', 'unstake', ({ deactivate, newStake }, account) => [
    ...[deactivate(account), ...newStake(9n * SOL)],
  ]),
  named('pays a stranger', 'withdraw', ({ withdraw, attacker }, account) => [
    withdraw(account, 20n * SOL, attacker),
  ]),
  named('uses another account', 'withdraw', ({ plant, withdraw }) => [
    withdraw(plant(9n, 'inactive'), 8n * SOL),
  ]),
  named('also uses another account', 'withdraw', ({ plant, withdraw, rent }, account) => [
    ...[withdraw(account, 30n * SOL + rent), withdraw(plant(9n, 'inactive'), 8n * SOL)],
  ]),
  named(
    'withdraws 20 SOL instead of 5',
    'withdraw',
    ({ withdraw }, account) => [withdraw(account, 20n * SOL)],
    {
      amountLamports: 5n * SOL,
    },
  ),
  named(
    'withdraws 5 SOL, reported as expired each time',
    'withdraw',
    ({ withdraw }, account) => [withdraw(account, 5n * SOL)],
    {
      amountLamports: 5n * SOL,
      says: 'expired',
    },
  ),
  named(
    'also hands the rest over',
    'withdraw',
    ({ withdraw, authorize }, account) => [
      ...[withdraw(account, 5n * SOL), authorize(account, 'withdrawer')],
    ],
    { amountLamports: 5n * SOL },
  ),
  named('also makes a payment', 'withdraw', ({ withdraw, pay, rent }, account) => [
    ...[withdraw(account, 30n * SOL + rent), pay(30n * SOL)],
  ]),
  named('delegates to another validator', 'restake', ({ delegate, elsewhere }, account) => [
    delegate(account, elsewhere),
  ]),
  named('uses another account', 'restake', ({ plant, delegate }) => [delegate(plant(40n, 'inactive'))]),
  named('also uses another account', 'restake', ({ plant, delegate }, account) => [
    ...[delegate(account), delegate(plant(40n, 'inactive'))],
  ]),
  named('also hands the account over', 'restake', ({ delegate, authorize }, account) => [
    ...[delegate(account), authorize(account, 'withdrawer')],
  ]),
  named('also makes a payment', 'restake', ({ delegate, pay }, account) => [
    delegate(account),
    pay(3n * SOL),
  ]),
  named('merges into a planted stake', 'restake', ({ plant, merge, elsewhere }, account) => [
    merge(plant(1n, 'activating', { vote: elsewhere }), account),
  ]),
];
