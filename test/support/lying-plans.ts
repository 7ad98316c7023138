// Lies about plans: stake changes in several steps and transactions, whose effects depend on accounts that only
// the service names.
import type { Address } from '@solana/kit';
import type { Instructions, Strategy } from './lying-service.ts';
import { type LyingServiceChain, SOL, type UserRequest } from './lying-service-chain.ts';

type Change = Extract<UserRequest, { kind: 'rearrange' }>;

/** Plants accounts once and plans with them for each build. */
const plan = (
  name: string,
  asks: Omit<Change, 'kind'>,
  builds: (world: LyingServiceChain) => () => readonly Instructions[],
  more: Partial<Strategy> = {},
): Strategy => ({ name, asks: { kind: 'rearrange', ...asks }, builds, ...more });

const WITHDRAW_5 = { goal: 'withdraw-amount', amountLamports: 5n * SOL } as const;
const UNSTAKE_5 = { goal: 'unstake', amountLamports: 5n * SOL } as const;

/** Splits off stakes that the attacker can withdraw, with more rent than needed. */
const drain = (
  { plant, create, move, deactivate, newAddress, attacker }: LyingServiceChain,
  from?: Address,
) => {
  const planted = from ?? plant(5n, 'active', { withdrawAuthority: attacker });
  const into = newAddress();
  return [create(into, 2_900_000n), move('split', planted, into, SOL), deactivate(into)];
};

export const planStrategies: readonly Strategy[] = [
  plan('unstake 5: splits off 40 SOL', UNSTAKE_5, ({ plant, cut }) => {
    const from = plant(100n, 'active');
    return () => [cut(from, 40n * SOL)];
  }),
  plan('unstake 5: splits off a lamport more', UNSTAKE_5, ({ plant, cut }) => {
    const from = plant(100n, 'active');
    return () => [cut(from, 5n * SOL + 1n)];
  }),
  plan('unstake 5: deactivates four accounts of 10 SOL', UNSTAKE_5, ({ plant, deactivate }) => {
    const four = [1, 2, 3, 4].map(() => deactivate(plant(10n, 'active')));
    return () => [four];
  }),
  plan(
    'unstake 5 or a little more: deactivates 40 SOL',
    { ...UNSTAKE_5, rounding: 'atLeast' },
    ({ plant, deactivate }) => {
      const all = deactivate(plant(40n, 'active'));
      return () => [[all]];
    },
  ),
  plan('unstake 5: unstakes 5 SOL more in a second transaction', UNSTAKE_5, ({ plant, cut }) => {
    const two = [plant(100n, 'active'), plant(100n, 'active')];
    return () => two.map((from) => cut(from, 5n * SOL));
  }),
  plan('unstake 5: stakes 500 SOL', UNSTAKE_5, ({ newStake }) => () => [newStake(500n * SOL)]),
  plan('unstake 5: makes a payment in a second transaction', UNSTAKE_5, ({ plant, cut, pay }) => {
    const from = plant(100n, 'active');
    return () => [cut(from, 5n * SOL), [pay(7n * SOL)]];
  }),
  plan('unstake 5: hands a stake over in a second transaction', UNSTAKE_5, ({ plant, cut, authorize }) => {
    const [from, other] = [plant(100n, 'active'), plant(50n, 'active')];
    return () => [cut(from, 5n * SOL), [authorize(other, 'withdrawer')]];
  }),
  plan(
    'unstake 5: reported as expired each time',
    UNSTAKE_5,
    ({ plant, cut }) => {
      const from = plant(100n, 'active');
      return () => [cut(from, 5n * SOL)];
    },
    { says: 'expired' },
  ),
  plan(
    'unstake 5: reported as changed, then as expired',
    UNSTAKE_5,
    ({ plant, cut }) => {
      const from = plant(100n, 'active');
      return () => [cut(from, 5n * SOL)];
    },
    { says: 'changed' },
  ),
  plan(
    'unstake 5: the response is lost, and the request is repeated with its key',
    UNSTAKE_5,
    ({ plant, cut }) => {
      const from = plant(100n, 'active');
      return () => [cut(from, 5n * SOL)];
    },
    { says: 'lost', times: 3 },
  ),
  plan('unstake 5: sends forty transactions with 200 accounts of another wallet', UNSTAKE_5, (world) => {
    const planted = world.plant(500n, 'active', { withdrawAuthority: world.attacker });
    return () => Array.from({ length: 40 }, () => [1, 2, 3, 4].flatMap(() => drain(world, planted)));
  }),
  plan('unstake 5: splits a planted stake five times', UNSTAKE_5, (world) => {
    const planted = world.plant(50n, 'active', { withdrawAuthority: world.attacker });
    return () => [
      [1, 2, 3].flatMap(() => drain(world, planted)),
      [1, 2].flatMap(() => drain(world, planted)),
    ];
  }),
  plan(
    'unstake 4: splits four planted stakes once each',
    { goal: 'unstake', amountLamports: 4n * SOL },
    (world) => () => [[1, 2, 3, 4].flatMap(() => drain(world))],
  ),
  plan('unstake 5: creates an account with a hundred times the rent', UNSTAKE_5, (world) => {
    const { plant, create, move, deactivate, newAddress, attacker, rent } = world;
    const planted = plant(50n, 'active', { withdrawAuthority: attacker });
    return () => {
      const into = newAddress();
      return [[create(into, 100n * rent), move('split', planted, into, 5n * SOL), deactivate(into)]];
    };
  }),
  plan('unstake 5: uses an account other than the named one', { ...UNSTAKE_5 }, ({ plant, cut }) => {
    const from = plant(100n, 'active');
    return () => [cut(from, 50n * SOL)];
  }),
  plan(
    'unstake 5: merges idle SOL into a planted stake activating with another validator',
    UNSTAKE_5,
    ({ plant, merge, cut, elsewhere }) => {
      const planted = plant(1n, 'activating', { vote: elsewhere });
      const [idle, from] = [plant(20n, 'initialized'), plant(100n, 'active')];
      return () => [[merge(planted, idle), ...cut(from, 5n * SOL)]];
    },
  ),
  plan('unstake 5: uses a stake with another validator', UNSTAKE_5, ({ plant, cut, elsewhere }) => {
    const from = plant(100n, 'active', { vote: elsewhere });
    return () => [cut(from, 5n * SOL)];
  }),
  plan(
    'unstake 5: deactivates an entire stake with another validator',
    UNSTAKE_5,
    ({ plant, deactivate, elsewhere }) => {
      const account = plant(5n, 'active', { vote: elsewhere });
      return () => [[deactivate(account)]];
    },
  ),
  plan('withdraw 5: uses a stake with another validator', WITHDRAW_5, ({ plant, cut, elsewhere }) => {
    const from = plant(100n, 'active', { vote: elsewhere });
    return () => [cut(from, 5n * SOL)];
  }),
  plan('withdraw 5: withdraws 30 inactive SOL', WITHDRAW_5, ({ plant, withdraw, rent }) => {
    const account = plant(30n, 'inactive');
    return () => [[withdraw(account, 30n * SOL + rent)]];
  }),
  plan('withdraw 5: also deactivates 5 SOL more', WITHDRAW_5, ({ plant, withdraw, cut }) => {
    const [free, active] = [plant(30n, 'inactive'), plant(30n, 'active')];
    return () => [[withdraw(free, 5n * SOL), ...cut(active, 5n * SOL)]];
  }),
  plan('withdraw 5: also deactivates an entire stake', WITHDRAW_5, ({ plant, withdraw, deactivate }) => {
    const [free, active] = [plant(30n, 'inactive'), plant(30n, 'active')];
    return () => [[withdraw(free, 5n * SOL), deactivate(active)]];
  }),
  plan('withdraw 5: pays a stranger', WITHDRAW_5, ({ plant, withdraw, attacker }) => {
    const account = plant(30n, 'inactive');
    return () => [[withdraw(account, 5n * SOL, attacker)]];
  }),
  plan('withdraw 5: splits four planted stakes', WITHDRAW_5, (world) => () => [
    [1, 2, 3, 4].flatMap(() => drain(world)),
  ]),
  plan(
    'undo 3: delegates 20 inactive SOL',
    { goal: 'undo', amountLamports: 3n * SOL },
    ({ plant, delegate }) => {
      const account = plant(20n, 'inactive');
      return () => [[delegate(account)]];
    },
  ),
  plan('undo: delegates to another validator', { goal: 'undo' }, ({ plant, delegate, elsewhere }) => {
    const account = plant(20n, 'inactive');
    return () => [[delegate(account, elsewhere)]];
  }),
  plan('undo: also makes a payment', { goal: 'undo' }, ({ plant, delegate, pay }) => {
    const account = plant(20n, 'deactivating');
    return () => [[delegate(account), pay(5n * SOL)]];
  }),
  plan(
    'restake: merges into a planted stake activating with another validator',
    { goal: 'restake' },
    ({ plant, merge, elsewhere }) => {
      const [planted, own] = [plant(1n, 'activating', { vote: elsewhere }), plant(20n, 'inactive')];
      return () => [[merge(planted, own)]];
    },
  ),
  plan('restake: also stakes 90 SOL of the wallet', { goal: 'restake' }, ({ plant, delegate, newStake }) => {
    const own = plant(20n, 'inactive');
    return () => [[delegate(own), ...newStake(90n * SOL)]];
  }),
  plan(
    'restake: also lets another wallet withdraw',
    { goal: 'restake' },
    ({ plant, delegate, authorize }) => {
      const own = plant(20n, 'inactive');
      return () => [[delegate(own), authorize(own, 'withdrawer')]];
    },
  ),
  plan(
    'top-up 2: adds 20 SOL',
    { goal: 'top-up', amountLamports: 2n * SOL },
    ({ plant, newStake, newAddress, merge }) => {
      const target = plant(5n, 'activating');
      return () => {
        const account = newAddress();
        return [newStake(20n * SOL, account), [merge(target, account)]];
      };
    },
  ),
  plan(
    'top-up 2: reported as expired each time',
    { goal: 'top-up', amountLamports: 2n * SOL },
    (world) => {
      const target = world.plant(5n, 'activating');
      return () => {
        const account = world.newAddress();
        return [world.newStake(2n * SOL, account), [world.merge(target, account)]];
      };
    },
    { says: 'expired' },
  ),
  plan(
    'top-up 2: reported as expired, and repeated with its key',
    { goal: 'top-up', amountLamports: 2n * SOL },
    (world) => {
      return () => [world.newStake(2n * SOL)];
    },
    { says: 'expired', times: 3 },
  ),
  plan(
    'top-up 10: merges into a planted stake activating with another validator',
    { goal: 'top-up', amountLamports: 10n * SOL },
    (world) => {
      const { plant, create, initialize, merge, newAddress, elsewhere } = world;
      const planted = plant(1n, 'activating', { vote: elsewhere });
      return () => {
        const account = newAddress();
        return [[create(account, 10n * SOL), initialize(account), merge(planted, account)]];
      };
    },
  ),
  plan(
    'top-up 1: moves the wallet’s own stake of 30 SOL away from its validator',
    { goal: 'top-up', amountLamports: SOL },
    (world) => {
      const { plant, create, initialize, move, delegate, newAddress, elsewhere, rent } = world;
      const own = plant(30n, 'activating', { vote: elsewhere });
      return () => {
        const account = newAddress();
        return [
          [
            ...[create(account, SOL + rent), initialize(account)],
            ...[move('moveLamports', account, own, SOL), delegate(own)],
          ],
        ];
      };
    },
  ),
  plan('tidy: merges idle SOL into an activating stake', { goal: 'tidy' }, ({ plant, merge }) => {
    const [into, idle] = [plant(3n, 'activating'), plant(20n, 'initialized')];
    return () => [[merge(into, idle)]];
  }),
  plan('tidy: cancels an activating stake', { goal: 'tidy' }, ({ plant, merge }) => {
    const [into, activating] = [plant(3n, 'initialized'), plant(20n, 'activating')];
    return () => [[merge(into, activating)]];
  }),
  plan('tidy: unstakes', { goal: 'tidy' }, ({ plant, deactivate }) => {
    const account = plant(20n, 'active');
    return () => [[deactivate(account)]];
  }),
  plan('tidy: sends idle SOL to another wallet', { goal: 'tidy' }, ({ plant, withdraw, attacker }) => {
    const account = plant(20n, 'inactive');
    return () => [[withdraw(account, 19n * SOL, attacker)]];
  }),
  plan('sweep: pays a stranger', { goal: 'sweep', to: 'wallet' }, ({ plant, withdraw, attacker }) => {
    const account = plant(20n, 'inactive');
    return () => [[withdraw(account, 19n * SOL, attacker)]];
  }),
  plan(
    'sweep into a stake: uses 50 SOL of the wallet instead of 1',
    { goal: 'sweep', to: 'stake', amountLamports: SOL },
    ({ newStake }) =>
      () => [newStake(50n * SOL)],
  ),
  plan(
    'sweep to the wallet: stakes instead',
    { goal: 'sweep', to: 'wallet' },
    ({ plant, withdraw, newStake }) => {
      const account = plant(20n, 'active', { idle: 9n });
      return () => [[withdraw(account, 9n * SOL), ...newStake(9n * SOL)]];
    },
  ),
  plan(
    'sweep to the wallet: adds to an activating stake instead',
    { goal: 'sweep', to: 'wallet' },
    ({ plant, delegate }) => {
      const account = plant(20n, 'activating', { idle: 9n });
      return () => [[delegate(account)]];
    },
  ),
  plan(
    'sweep into an activating stake: withdraws instead',
    { goal: 'sweep', to: 'activating' },
    ({ plant, withdraw }) => {
      const account = plant(20n, 'active', { idle: 9n });
      return () => [[withdraw(account, 9n * SOL)]];
    },
  ),
  plan(
    'sweep into a stake: also stakes 50 inactive SOL',
    { goal: 'sweep', to: 'stake', amountLamports: SOL },
    ({ plant, withdraw, newStake }) => {
      const account = plant(50n, 'inactive');
      return () => [[withdraw(account, 50n * SOL), ...newStake(51n * SOL)]];
    },
  ),
  plan('sweep: unstakes', { goal: 'sweep', to: 'wallet' }, ({ plant, deactivate }) => {
    const account = plant(20n, 'active');
    return () => [[deactivate(account)]];
  }),
  plan('rescue: makes another wallet the stake authority', { goal: 'rescue' }, ({ plant, authorize }) => {
    const account = plant(20n, 'active');
    return () => [[authorize(account, 'staker')]];
  }),
  plan('rescue: makes another wallet the withdraw authority', { goal: 'rescue' }, ({ plant, authorize }) => {
    const account = plant(20n, 'active');
    return () => [[authorize(account, 'withdrawer')]];
  }),
  plan('withdraw all: pays another wallet', { goal: 'withdraw-all' }, ({ plant, withdraw, attacker }) => {
    const account = plant(20n, 'inactive');
    return () => [[withdraw(account, 19n * SOL, attacker)]];
  }),
  plan(
    'withdraw all: also deactivates a stake',
    { goal: 'withdraw-all' },
    ({ plant, withdraw, deactivate, rent }) => {
      const [free, active] = [plant(5n, 'inactive'), plant(20n, 'active')];
      return () => [[withdraw(free, 5n * SOL + rent), deactivate(active)]];
    },
  ),
  plan(
    'withdraw all: also makes the wallet pay',
    { goal: 'withdraw-all' },
    ({ plant, withdraw, pay, rent }) => {
      const free = plant(5n, 'inactive');
      return () => [[withdraw(free, 5n * SOL + rent), pay(9n * SOL)]];
    },
  ),
  plan('migrate: deactivates stake that is already here', { goal: 'migrate' }, ({ plant, deactivate }) => {
    const account = plant(20n, 'active');
    return () => [[deactivate(account)]];
  }),
  plan('migrate: delegates to another validator', { goal: 'migrate' }, ({ plant, delegate, elsewhere }) => {
    const account = plant(20n, 'inactive');
    return () => [[delegate(account, elsewhere)]];
  }),
  plan(
    'migrate: makes another wallet the stake authority',
    { goal: 'migrate' },
    ({ plant, authorize, elsewhere }) => {
      const account = plant(20n, 'active', { vote: elsewhere });
      return () => [[authorize(account, 'staker')]];
    },
  ),
];
