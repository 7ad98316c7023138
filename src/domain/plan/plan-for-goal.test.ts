// Tests plans for typical requests: their instructions, dates and amounts, and requests that are impossible.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import {
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  RENT,
  SOL,
  STAKER,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { readAddressAt } from '../read-address-at.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../stake/stake-account.ts';
import type { Plan, PlanInputs } from './plan.ts';
import { type PlanGoal, planStakeChange } from './plan-for-goal.ts';
import { withdrawAmounts } from './withdraw-amounts.ts';

const at = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);
const OTHER_VOTE = at(99);
const NEW = at(100);

const staked = (tag: number, stakeLamports: bigint, epochs = {}): StakeAccount =>
  delegatedStake({
    address: at(tag),
    lamports: stakeLamports + RENT,
    delegation: { stakeLamports, ...epochs },
  });

const worldOf = (accounts: readonly StakeAccount[], walletLamports = SOL): PlanInputs => ({
  wallet: OWNER,
  walletLamports,
  accounts,
  chain: {
    ...chainFacts(),
    minimumDelegationLamports: SOL,
    voteCredits: new Map([
      [VOTE_ACCOUNT, 7n],
      [OTHER_VOTE, 9n],
    ]),
  },
  voteAccount: VOTE_ACCOUNT,
  newAddress: (index) => at(100 + index),
  signatureFeeLamports: 5_000n,
  memoBytes: 0,
});

const planned = (goal: PlanGoal, world: PlanInputs): Plan => {
  const result = planStakeChange(goal, world);
  assert.ok(
    result.ok,
    JSON.stringify(result, (_, one) => (typeof one === 'bigint' ? `${one}` : one)),
  );
  return result.plan;
};

const refused = (goal: PlanGoal, world: PlanInputs) => {
  const result = planStakeChange(goal, world);
  assert.ok(!result.ok);
  return result.refusal;
};

const instructions = (plan: Plan): readonly string[] =>
  plan.transactions.flatMap(({ operations }) => operations.map(({ type }) => type));

const exact = 'exact';
const EPOCH = chainFacts().epoch;

/**
 * Builds an account created before the rent increased, which holds 1,000 lamports less than accounts need
 * now.
 */
const shortOfRent = (tag: number, stakeLamports: bigint, epochs = {}): StakeAccount => {
  const account = staked(tag, stakeLamports, epochs);
  return { ...account, lamports: account.lamports - 1_000n };
};

describe('a wallet with many accounts', () => {
  it('unstakes the combined stake of the 65 largest of its 80 accounts without moving any stake', () => {
    const stakes = Array.from({ length: 80 }, (_, index) => 2n * SOL + BigInt(index) ** 3n);
    const accounts = stakes.map((lamports, index) => staked(index + 1, lamports));
    const lamports = stakes.slice(15).reduce((sum, one) => sum + one, 0n);
    const plan = planned({ goal: 'unstake', lamports, rounding: exact }, worldOf(accounts));
    assert.deepEqual(
      instructions(plan),
      Array.from({ length: 65 }, () => 'deactivate'),
    );
  });
});

describe('an amount that equals the sum of three of a wallet’s 16 stakes', () => {
  const stakes = Array.from({ length: 16 }, (_, index) => 2n * SOL + BigInt(index + 1) ** 5n);
  const accounts = stakes.map((lamports, index) => staked(index + 1, lamports, { activationEpoch: EPOCH }));
  for (const chosen of [
    [0, 7, 15],
    [0, 1, 2],
    [13, 14, 15],
  ])
    it(`is unstaked by deactivating only those three: ${chosen.join(', ')}`, () => {
      const lamports = chosen.reduce((sum, index) => sum + stakes[index]!, 0n);
      const plan = planned({ goal: 'unstake', lamports, rounding: exact }, worldOf(accounts));
      assert.deepEqual(instructions(plan), ['deactivate', 'deactivate', 'deactivate']);
    });
});

describe('a wallet with more activating stakes than the search considers', () => {
  it('withdraws all of them, up to the largest amount that the preview offers', () => {
    const accounts = Array.from({ length: 160 }, (_, index) =>
      staked(index + 1, 2n * SOL + BigInt(index), { activationEpoch: EPOCH }),
    );
    const world = worldOf(accounts);
    const most = withdrawAmounts(world).ranges.at(-1)!.high;
    assert.equal(
      most,
      accounts.reduce((sum, one) => sum + one.lamports, 0n),
    );
    const plan = planned({ goal: 'withdraw-amount', lamports: most, rounding: exact }, world);
    assert.equal(instructions(plan).filter((type) => type === 'withdraw').length, 160);
  });
});

describe('an amount that equals the sum of several small accounts', () => {
  it('is split off a large account if that takes fewer instructions', () => {
    // Different lockups prevent any two accounts from being merged.
    const apart = (tag: number, lamports: bigint): StakeAccount => ({
      ...staked(tag, lamports),
      lockup: { unixTimestamp: 0n, epoch: EPOCH + 5n + BigInt(tag), custodian: OWNER },
    });
    const small = Array.from({ length: 10 }, (_, index) => apart(index + 1, 2n * SOL));
    const plan = planned(
      { goal: 'unstake', lamports: 20n * SOL, rounding: exact },
      worldOf([...small, apart(11, 100n * SOL)]),
    );
    assert.deepEqual(instructions(plan), ['create', 'split', 'deactivate']);
  });
});

describe('a wallet with active and activating stakes', () => {
  const activating = staked(1, 5n * SOL, { activationEpoch: EPOCH });
  const NAMES = new Map([at(1), at(2), at(3), NEW].map((address, index) => [address, index + 1]));
  /** The instructions, each with its account: 1 is activating, 2 and 3 are active, 4 is new. */
  const unstaked = (lamports: bigint, ...active: readonly bigint[]) =>
    planned(
      { goal: 'unstake', lamports, rounding: exact },
      worldOf([activating, ...active.map((one, index) => staked(index + 2, one))]),
    ).transactions.flatMap(({ operations }) =>
      operations.map((one) => `${one.type} ${'account' in one ? NAMES.get(one.account) : ''}`),
    );
  const splitOff = (account: number) => ['create 4', `split ${account}`, 'deactivate 4'];

  it('unstakes the activating stake, which earns nothing yet, if it covers the amount', () => {
    assert.deepEqual(unstaked(2n * SOL, 10n * SOL), splitOff(1));
    // A move between the active accounts would take one instruction less.
    assert.deepEqual(unstaked(2n * SOL, 10n * SOL, 3n * SOL), splitOff(1));
    assert.deepEqual(unstaked(5n * SOL, 5n * SOL), ['deactivate 1']);
  });

  it('unstakes active stake if the activating stake does not suffice, or takes two instructions more', () => {
    assert.deepEqual(unstaked(6n * SOL, 10n * SOL), splitOff(2));
    assert.deepEqual(unstaked(2n * SOL, 2n * SOL), ['deactivate 2']);
  });
});

describe('an account that can keep exactly the minimum delegation', () => {
  it('provides everything above the minimum by a split, a move or an undo, but not one lamport more', () => {
    const unstake = { goal: 'unstake', rounding: exact } as const;
    for (const [goal, stakes] of [
      [unstake, [10n * SOL]],
      [unstake, [10n * SOL, 3n * SOL]],
      [unstake, [3n * SOL, 3n * SOL, 3n * SOL]],
      [{ goal: 'undo' }, [10n * SOL]],
    ] as const) {
      const epochs = goal.goal === 'undo' ? { deactivationEpoch: EPOCH } : {};
      const world = worldOf(stakes.map((lamports, index) => staked(index + 1, lamports, epochs)));
      const most = stakes.reduce((sum, one) => sum + one, -SOL);
      planned({ ...goal, lamports: most }, world);
      assert.equal(planStakeChange({ ...goal, lamports: most + 1n }, world).ok, false, `${stakes}`);
    }
    // An account that keeps the minimum is the source of a move if that saves an instruction.
    const world = worldOf([staked(1, 10n * SOL), staked(2, 3n * SOL), staked(3, (3n * SOL) / 2n)]);
    const plan = planned({ ...unstake, lamports: 12n * SOL }, world);
    assert.deepEqual(instructions(plan), ['moveStake', 'deactivate']);
  });
});

describe('an account with less than today’s rent', () => {
  it('can only be unstaked as a whole, and no part of it is offered', () => {
    const world = worldOf([shortOfRent(1, 5n * SOL)]);
    const { nearestBelowLamports, nearestAboveLamports } = refused(
      { goal: 'unstake', lamports: 2n * SOL, rounding: 'exact' },
      world,
    ) as { nearestBelowLamports: bigint; nearestAboveLamports: bigint; isComplete: true };
    assert.deepEqual([nearestBelowLamports, nearestAboveLamports], [null, 5n * SOL]);
    planned({ goal: 'unstake', lamports: 5n * SOL, rounding: 'exact' }, world);
    assert.equal(
      refused({ goal: 'withdraw-amount', lamports: 2n * SOL, rounding: 'exact' }, world).why,
      'AMOUNT_NOT_REACHABLE',
    );
  });
  it('can only be withdrawn or kept staked as a whole', () => {
    const activating = worldOf([shortOfRent(1, 5n * SOL, { activationEpoch: chainFacts().epoch })]);
    const { why } = refused({ goal: 'withdraw-amount', lamports: 2n * SOL, rounding: 'exact' }, activating);
    assert.equal(why, 'AMOUNT_NOT_REACHABLE');
    const cooling = worldOf([shortOfRent(1, 5n * SOL, { deactivationEpoch: chainFacts().epoch })]);
    assert.equal(planStakeChange({ goal: 'undo', lamports: 2n * SOL }, cooling).ok, false);
  });
});

describe('accounts with different lockups', () => {
  const locked = (custodian: Address, epochs = {}) =>
    worldOf(
      [1, 2].map((tag) => ({
        ...staked(tag, (5n * SOL) / 2n, epochs),
        lockup: { unixTimestamp: 0n, epoch: EPOCH + 5n + BigInt(tag), custodian },
      })),
    );
  const lamports = (11n * SOL) / 5n;
  for (const [goal, epochs] of [
    [{ goal: 'unstake', lamports, rounding: exact }, {}],
    [{ goal: 'undo', lamports }, { deactivationEpoch: EPOCH }],
  ] as const)
    it(`are both split for an ${goal.goal} if the wallet is their custodian; otherwise, only one of them is split`, () => {
      const plan = planned(goal, locked(OWNER, epochs));
      assert.equal(instructions(plan).filter((type) => type === 'split').length, 2);
      assert.deepEqual(refused(goal, locked(STAKER, epochs)), {
        why: 'AMOUNT_NOT_REACHABLE',
        isComplete: false,
        nearestBelowLamports: (3n * SOL) / 2n,
        nearestAboveLamports: (5n * SOL) / 2n,
      });
      const one = planned({ ...goal, lamports: SOL }, locked(STAKER, epochs));
      assert.equal(instructions(one).filter((type) => type === 'split').length, 1);
    });
});

describe('planStakeChange', () => {
  it('unstakes 5 SOL from accounts of 2, 2 and 10 SOL with one move and no new account', () => {
    const plan = planned(
      { goal: 'unstake', lamports: 5n * SOL, rounding: exact },
      worldOf([staked(1, 2n * SOL), staked(2, 2n * SOL), staked(3, 10n * SOL)]),
    );
    assert.deepEqual(instructions(plan), ['moveStake', 'deactivate']);
    assert.deepEqual(plan.cost, { feesLamports: 5_000n, rentLockedLamports: 0n, forgone: [] });
    assert.deepEqual(
      plan.wallet.later.map(({ lamports, epoch }) => [lamports, epoch]),
      [[5n * SOL + RENT, EPOCH + 1n]],
    );
  });

  it('splits a single account and reports the rent of the new one', () => {
    const plan = planned(
      { goal: 'unstake', lamports: 3n * SOL, rounding: exact },
      worldOf([staked(1, 10n * SOL)]),
    );
    assert.deepEqual(instructions(plan), ['create', 'split', 'deactivate']);
    assert.equal(plan.cost.rentLockedLamports, RENT);
    assert.equal(plan.wallet.afterLamports, SOL - RENT - 10_000n);
  });

  it('moves stake into an account without stake if the wallet cannot pay for a new one', () => {
    const empty = initializedStake({ address: at(2), lamports: RENT });
    const plan = planned(
      { goal: 'unstake', lamports: 3n * SOL, rounding: exact },
      worldOf([staked(1, 10n * SOL), empty], 2_000_000n),
    );
    assert.deepEqual(instructions(plan), ['moveStake', 'deactivate']);
  });

  it('reports the nearest amounts if the amount or the rest would be below the minimum', () => {
    const world = worldOf([staked(1, 2n * SOL), staked(2, 2n * SOL), staked(3, 10n * SOL)]);
    assert.deepEqual(refused({ goal: 'unstake', lamports: SOL / 2n, rounding: exact }, world), {
      why: 'AMOUNT_NOT_REACHABLE',
      nearestBelowLamports: null,
      nearestAboveLamports: SOL,
      isComplete: true,
    });
    assert.deepEqual(refused({ goal: 'unstake', lamports: (27n * SOL) / 2n, rounding: exact }, world), {
      why: 'AMOUNT_NOT_REACHABLE',
      nearestBelowLamports: 13n * SOL,
      nearestAboveLamports: 14n * SOL,
      isComplete: true,
    });
    const atLeast = planned({ goal: 'unstake', lamports: SOL / 2n, rounding: 'atLeast' }, world);
    assert.equal(atLeast.wallet.later[0]!.lamports, SOL + RENT);
  });

  it('leaves accounts with another stake authority unchanged', () => {
    const world = worldOf([{ ...staked(1, 10n * SOL), stakeAuthority: STAKER }]);
    assert.equal(
      refused({ goal: 'unstake', lamports: SOL, rounding: exact }, world).why,
      'AMOUNT_NOT_REACHABLE',
    );
  });

  it('withdraws inactive stake first, then stake that was never effective, and then deactivates the rest', () => {
    const inactive = staked(1, SOL, { deactivationEpoch: 15n });
    const activating = staked(2, 2n * SOL, { activationEpoch: EPOCH });
    const plan = planned(
      { goal: 'withdraw-amount', lamports: 6n * SOL + 2n * RENT, rounding: exact },
      worldOf([inactive, activating, staked(3, 10n * SOL)]),
    );
    assert.deepEqual(instructions(plan), [
      'withdraw',
      'deactivate',
      'withdraw',
      'create',
      'split',
      'deactivate',
    ]);
    assert.deepEqual(plan.cancelsActivationOf, [at(2)]);
    assert.equal(
      plan.wallet.afterLamports - plan.wallet.beforeLamports + plan.cost.feesLamports,
      3n * SOL + 2n * RENT - RENT,
    );
    assert.equal(plan.wallet.later[0]!.lamports, 3n * SOL + RENT);
  });

  it('undoes a deactivation of this epoch, and lends an old stake below the minimum the missing lamports within the transaction', () => {
    const epochs = { deactivationEpoch: EPOCH };
    const whole = planned({ goal: 'undo' }, worldOf([staked(1, 2n * SOL, epochs)]));
    assert.deepEqual(instructions(whole), ['delegate']);
    const small = planned({ goal: 'undo' }, worldOf([staked(1, SOL / 5n, epochs)], 2n * SOL));
    assert.deepEqual(instructions(small), ['transfer', 'delegate', 'withdraw']);
    assert.equal(small.wallet.afterLamports, 2n * SOL - 5_000n);
    assert.deepEqual(
      refused({ goal: 'undo' }, worldOf([staked(1, 2n * SOL, { deactivationEpoch: EPOCH - 1n })])),
      {
        why: 'UNDO_TOO_LATE',
      },
    );
    assert.deepEqual(refused({ goal: 'undo' }, worldOf([staked(1, 2n * SOL)])), { why: 'NOTHING_TO_UNDO' });
    assert.deepEqual(refused({ goal: 'undo' }, worldOf([])), { why: 'NOTHING_TO_UNDO' });
    const short = { ...staked(1, 2n * SOL, epochs), lamports: 2n * SOL + RENT - 9n };
    assert.deepEqual(refused({ goal: 'undo' }, worldOf([short])), {
      why: 'UNDO_IMPOSSIBLE',
      missingLamports: 9n,
    });
  });

  it('undoes part of a deactivation: the rest is split off and keeps deactivating', () => {
    const plan = planned(
      { goal: 'undo', lamports: 4n * SOL },
      worldOf([staked(1, 10n * SOL, { deactivationEpoch: EPOCH })]),
    );
    assert.deepEqual(instructions(plan), ['create', 'split', 'delegate']);
    const after = plan.accountsAfter.map((one) => (one.kind === 'delegated' ? one.delegation : null));
    assert.deepEqual(
      after.map((one) => [one!.stakeLamports, one!.deactivationEpoch]),
      [
        [4n * SOL, EPOCH_ABSENT],
        [6n * SOL, EPOCH],
      ],
    );
  });

  it('restakes inactive accounts as one stake', () => {
    const plan = planned(
      { goal: 'restake' },
      worldOf([
        staked(1, SOL / 2n, { deactivationEpoch: 15n }),
        staked(2, SOL, { deactivationEpoch: 15n, voteAccount: OTHER_VOTE }),
      ]),
    );
    assert.deepEqual(instructions(plan), ['merge', 'delegate']);
    const [after] = plan.accountsAfter;
    assert.equal(plan.accountsAfter.length, 1);
    assert.equal(after?.kind === 'delegated' && after.delegation?.voteAccount, VOTE_ACCOUNT);
    assert.deepEqual(refused({ goal: 'restake' }, worldOf([initializedStake({ lamports: SOL })])), {
      why: 'BELOW_MINIMUM',
      missingLamports: RENT,
    });
  });

  const inactive = (tag: number, lamports: bigint, more: Partial<StakeAccount> = {}): StakeAccount => ({
    ...initializedStake({ address: at(tag), lamports }),
    ...more,
  });

  it('restakes into the account with the largest balance, or with the lowest address on a tie, even with exactly the minimum', () => {
    const restaked = (...accounts: readonly StakeAccount[]) =>
      planned({ goal: 'restake' }, worldOf(accounts)).transactions.map(({ operations }) =>
        operations.map((one) => ('account' in one ? [one.type, one.account] : [])),
      );
    assert.deepEqual(restaked(inactive(1, SOL / 4n), inactive(2, SOL)), [
      [
        ['merge', at(2)],
        ['delegate', at(2)],
      ],
    ]);
    assert.deepEqual(restaked(inactive(4, SOL), inactive(3, SOL)), [
      [
        ['merge', at(3)],
        ['delegate', at(3)],
      ],
    ]);
    assert.deepEqual(restaked(inactive(1, SOL + RENT)), [[['delegate', at(1)]]]);
  });

  const many = (lamports: bigint, more: Partial<StakeAccount> = {}): readonly StakeAccount[] =>
    Array.from({ length: 40 }, (_, index) => inactive(1 + index, lamports, more));

  it('restakes many accounts in several transactions that each end with the delegation', () => {
    const plan = planned({ goal: 'restake' }, worldOf(many(SOL / 4n)));
    const types = plan.transactions.map(({ operations }) => operations.map(({ type }) => type));
    assert.ok(types.length > 1);
    for (const one of types) assert.equal(one.indexOf('delegate'), one.length - 1);
    assert.equal(types.flat().filter((type) => type === 'merge').length, 39);
    assert.deepEqual(
      plan.accountsAfter.map(({ lamports }) => lamports),
      [10n * SOL],
    );
  });

  it('restakes into a new account if one transaction cannot reach the minimum, and leaves out accounts that are locked or too small', () => {
    const least = SOL + RENT;
    const plan = planned({ goal: 'restake' }, worldOf(many(least / 40n + 1n)));
    assert.equal(instructions(plan).filter((type) => type === 'withdraw').length, 40);
    assert.deepEqual(instructions(plan).slice(-3), ['create', 'initialize', 'delegate']);
    assert.deepEqual(
      plan.accountsAfter.map(({ address, lamports }) => [address, lamports]),
      [[NEW, 40n * (least / 40n + 1n)]],
    );
    const lockup = { unixTimestamp: 0n, epoch: EPOCH + 5n, custodian: STAKER };
    for (const accounts of [many(least / 40n + 1n, { lockup }), many(least / 40n - 1n)]) {
      const { why, missingLamports } = refused({ goal: 'restake' }, worldOf(accounts)) as {
        why: string;
        missingLamports: bigint;
      };
      assert.equal(why, 'BELOW_MINIMUM');
      assert.ok(missingLamports > 0n && missingLamports < least);
    }
    assert.equal(refused({ goal: 'restake' }, worldOf([])).why, 'NOTHING_TO_DO');
  });

  it('tops up the largest activating stake, in two transactions if the amount suffices for a separate stake', () => {
    const world = worldOf(
      [staked(1, 2n * SOL, { activationEpoch: EPOCH }), staked(2, 3n * SOL, { activationEpoch: EPOCH })],
      5n * SOL,
    );
    const targetOf = (lamports: bigint) => {
      const plan = planned({ goal: 'top-up', lamports }, world);
      const last = plan.transactions.at(-1)!.operations.at(-1)!;
      return [plan.transactions.length, 'account' in last && last.account];
    };
    assert.deepEqual(targetOf(SOL + RENT), [2, at(2)]);
    assert.deepEqual(targetOf(SOL + RENT - 1n), [1, at(2)]);
  });

  it('tops up an activating stake with less than the minimum stake through a new account that keeps its rent-exempt minimum and stays open', () => {
    const plan = planned(
      { goal: 'top-up', lamports: SOL / 4n },
      worldOf([staked(1, 2n * SOL, { activationEpoch: EPOCH })]),
    );
    assert.deepEqual(instructions(plan), ['create', 'initialize', 'moveLamports', 'delegate']);
    assert.equal(plan.transactions.length, 1);
    const [grown, opened] = plan.accountsAfter;
    assert.equal(grown?.kind === 'delegated' && grown.delegation?.stakeLamports, (9n * SOL) / 4n);
    assert.deepEqual([opened?.address, opened?.lamports], [NEW, RENT]);
    assert.equal(plan.cost.rentLockedLamports, RENT);
    assert.deepEqual(plan.laterSteps, [{ account: NEW, action: 'withdraw', epoch: EPOCH + 1n }]);
  });

  it('tops up with a separate stake that a second transaction merges, or in a single transaction if one is required', () => {
    const world = worldOf([staked(1, 2n * SOL, { activationEpoch: EPOCH })], 5n * SOL);
    const plan = planned({ goal: 'top-up', lamports: 2n * SOL }, world);
    assert.deepEqual(
      plan.transactions.map(({ operations }) => operations.map(({ type }) => type)),
      [['create', 'initialize', 'delegate'], ['merge']],
    );
    const [grown, ...others] = plan.accountsAfter;
    assert.equal(grown?.kind === 'delegated' && grown.delegation?.stakeLamports, 4n * SOL);
    assert.deepEqual([others, plan.cost.rentLockedLamports], [[], 0n]);
    const single = planned({ goal: 'top-up', lamports: 2n * SOL, isSingle: true }, world);
    assert.deepEqual(instructions(single), ['create', 'initialize', 'moveLamports', 'delegate']);
  });

  it('tops up an account with less than today’s rent only through a separate stake', () => {
    const world = worldOf([shortOfRent(1, 5n * SOL, { activationEpoch: EPOCH })], 5n * SOL);
    assert.deepEqual(refused({ goal: 'top-up', lamports: SOL }, world), {
      why: 'AMOUNT_NOT_REACHABLE',
      nearestBelowLamports: null,
      nearestAboveLamports: SOL + RENT,
      isComplete: true,
    });
    assert.deepEqual(instructions(planned({ goal: 'top-up', lamports: SOL + RENT }, world)).at(-1), 'merge');
  });

  it('only tops up activating stakes', () => {
    assert.deepEqual(refused({ goal: 'top-up', lamports: SOL }, worldOf([staked(1, SOL)])), {
      why: 'NOT_ACTIVATING',
    });
  });

  it('merges the accounts of one validator, returns their rent, and reports the reason for each account that is left out', () => {
    const plan = planned(
      { goal: 'tidy' },
      worldOf([
        staked(1, 2n * SOL),
        staked(2, SOL / 5n),
        staked(3, SOL),
        staked(4, SOL, { deactivationEpoch: EPOCH }),
        staked(5, SOL, { activationEpoch: EPOCH }),
        { ...staked(6, SOL), stakeAuthority: STAKER },
      ]),
    );
    assert.deepEqual(instructions(plan), ['merge', 'merge', 'withdraw']);
    assert.equal(plan.wallet.afterLamports, SOL + 2n * RENT - 5_000n);
    assert.deepEqual(
      plan.blocked.map(({ account, reason, possibleFromEpoch }) => [account, reason, possibleFromEpoch]),
      [
        [at(4), 'cooling down', EPOCH + 1n],
        [at(5), 'activating', EPOCH + 1n],
        [at(6), 'other authorities', null],
      ],
    );
  });

  it('sweeps idle lamports to the wallet, into a new stake or into an activating one', () => {
    const idle = { ...staked(1, 2n * SOL), lamports: 3n * SOL + RENT };
    const wallet = planned({ goal: 'sweep', to: 'wallet' }, worldOf([idle]));
    assert.equal(wallet.wallet.afterLamports, 2n * SOL - 5_000n);
    const stake = planned({ goal: 'sweep', to: 'stake', addedLamports: RENT }, worldOf([idle]));
    assert.deepEqual(instructions(stake), ['withdraw', 'create', 'initialize', 'delegate']);
    assert.ok(stake.accountsAfter.some(({ address }) => address === NEW));
    const along = planned(
      { goal: 'sweep', to: 'activating' },
      worldOf([idle, staked(2, SOL, { activationEpoch: EPOCH })]),
    );
    assert.deepEqual(instructions(along), ['moveLamports', 'delegate']);
  });

  it('leaves idle lamports that do not exceed the fee, whatever their destination', () => {
    const idle = (lamports: bigint) => ({ ...staked(1, 2n * SOL), lamports: 2n * SOL + RENT + lamports });
    const target = staked(2, SOL, { activationEpoch: EPOCH });
    for (const goal of [
      { goal: 'sweep', to: 'wallet' },
      { goal: 'sweep', to: 'activating' },
      { goal: 'sweep', to: 'stake', addedLamports: 2n * SOL },
    ] as const) {
      const dust = planStakeChange(goal, worldOf([idle(5_000n), target]));
      assert.ok(!dust.ok && dust.refusal.why === 'NOTHING_TO_DO', goal.to);
      assert.ok(planStakeChange(goal, worldOf([idle(5_001n), target], 9n * SOL)).ok, goal.to);
    }
  });

  it('migrates activating stake immediately, and active stake by deactivating it for one epoch', () => {
    const elsewhere = { voteAccount: OTHER_VOTE };
    const plan = planned(
      { goal: 'migrate' },
      worldOf([
        staked(1, 5n * SOL, elsewhere),
        staked(2, SOL, { ...elsewhere, activationEpoch: EPOCH }),
        { ...staked(3, SOL, elsewhere), stakeAuthority: STAKER },
        staked(4, SOL / 2n, elsewhere),
        staked(5, SOL),
      ]),
    );
    assert.deepEqual(instructions(plan), ['deactivate', 'delegate', 'authorize', 'deactivate']);
    assert.deepEqual(plan.laterSteps, [
      { account: at(1), action: 'delegate', epoch: EPOCH + 1n },
      { account: at(3), action: 'delegate', epoch: EPOCH + 1n },
    ]);
    assert.deepEqual(plan.cost.forgone, [
      { stakeLamports: 5n * SOL, epochs: 1 },
      { stakeLamports: SOL, epochs: 1 },
    ]);
    assert.deepEqual(plan.blocked, [
      { account: at(4), reason: 'below the minimum', possibleFromEpoch: null },
    ]);
  });

  it('packs withdrawals of 45 accounts into three transactions', () => {
    const accounts = Array.from({ length: 45 }, (_, index) => initializedStake({ address: at(1 + index) }));
    const plan = planned({ goal: 'withdraw-all' }, worldOf(accounts));
    assert.deepEqual(
      plan.transactions.map(({ operations }) => operations.length),
      [19, 19, 7],
    );
    assert.deepEqual(plan.accountsAfter, []);
  });

  it('refuses every plan while rewards are being paid, and a plan that the wallet cannot pay for', () => {
    const world = worldOf([staked(1, 10n * SOL)]);
    const frozen = { ...world, chain: { ...world.chain, epochRewardsActive: true } };
    assert.deepEqual(refused({ goal: 'tidy' }, { ...frozen, accounts: [staked(1, SOL), staked(2, SOL)] }), {
      why: 'EPOCH_REWARDS_ACTIVE',
    });
    assert.equal(
      refused({ goal: 'unstake', lamports: 10n * SOL, rounding: exact }, worldOf([staked(1, 10n * SOL)], 0n))
        .why,
      'WALLET_SHORT',
    );
  });
});

describe('a wallet with hardly any SOL', () => {
  const missing = (goal: PlanGoal, world: PlanInputs): bigint => {
    const refusal = refused(goal, world);
    assert.equal(refusal.why, 'WALLET_SHORT');
    return (refusal as { missingLamports: bigint }).missingLamports;
  };
  const withMore = (world: PlanInputs, lamports: bigint): PlanInputs => ({
    ...world,
    walletLamports: world.walletLamports + lamports,
  });
  /**
   * Checks that the request succeeds once the wallet has the reported missing amount, and fails with one
   * lamport less.
   */
  const isExactlyMissing = (goal: PlanGoal, world: PlanInputs): bigint => {
    const lamports = missing(goal, world);
    planned(goal, withMore(world, lamports));
    assert.equal(missing(goal, withMore(world, lamports - 1n)), 1n);
    return lamports;
  };
  const thirteen = 13_600_000_000n;

  it('can pay for one new account if it has the rent-exempt minimum and two fees, and then keeps its own minimum or nothing', () => {
    const own = 890_880n;
    for (const left of [0n, own])
      for (const rounding of ['exact', 'atLeast'] as const) {
        const world = worldOf([staked(1, 160n * SOL)], RENT + 10_000n + left);
        const plan = planned({ goal: 'unstake', lamports: thirteen, rounding }, world);
        assert.equal(plan.amountLamports, thirteen);
        assert.equal(plan.wallet.afterLamports, left);
      }
  });

  it('is refused with the amount missing for a new account, and no larger amount is unstaked instead', () => {
    for (const goal of ['unstake', 'withdraw-amount'] as const)
      for (const rounding of ['exact', 'atLeast'] as const) {
        const world = worldOf([staked(1, 160n * SOL)], 1_000_000n);
        const lamports = missing({ goal, lamports: thirteen, rounding }, world);
        assert.equal(lamports, RENT + 10_000n - 1_000_000n);
        planned({ goal, lamports: thirteen, rounding }, withMore(world, lamports));
      }
  });

  it('is refused with the smallest missing amount, which is only the fee if an account without stake can receive the part', () => {
    const empty = initializedStake({ address: at(2), lamports: RENT });
    const world = worldOf([staked(1, 160n * SOL), empty], 1_000n);
    const goal = { goal: 'unstake', lamports: thirteen, rounding: exact } as const;
    assert.equal(isExactlyMissing(goal, world), 4_000n);
  });

  it('is offered only undo amounts that need no new account', () => {
    const world = worldOf([staked(1, 3n * SOL, { deactivationEpoch: EPOCH })], 1_200_000n);
    const { nearestBelowLamports, nearestAboveLamports } = refused(
      { goal: 'undo', lamports: SOL / 2n },
      world,
    ) as { nearestBelowLamports: bigint | null; nearestAboveLamports: bigint };
    assert.deepEqual([nearestBelowLamports, nearestAboveLamports], [null, 3n * SOL]);
    planned({ goal: 'undo', lamports: nearestAboveLamports }, world);
    isExactlyMissing({ goal: 'undo', lamports: SOL }, withMore(world, 0n));
  });

  it('is refused with the total shortfall, including the fee and the stake', () => {
    const activating = staked(1, 2n * SOL, { activationEpoch: EPOCH });
    const lamports = isExactlyMissing(
      { goal: 'top-up', lamports: 5n * SOL },
      worldOf([activating], 653_149n),
    );
    assert.ok(lamports > 4n * SOL, `${lamports}`);
  });

  it('may use lamports that the same plan has withdrawn earlier', () => {
    const idle = { ...staked(1, 5n * SOL), lamports: 65n * SOL + RENT };
    const goal = { goal: 'sweep', to: 'stake', addedLamports: 2_900_000_000n } as const;
    const lamports = isExactlyMissing(goal, worldOf([idle], SOL / 10n));
    assert.ok(lamports < 2_900_000_000n, `${lamports}`);
  });
});

describe('stake of one validator is split off with the fewest instructions if', () => {
  for (const { name, stakes, lamports, expected } of [
    {
      name: 'the source of the move keeps exactly the minimum',
      stakes: [1_500n, 1_500n, 1_500n],
      lamports: 2_500n,
      expected: ['moveStake', 'deactivate', 'deactivate'],
    },
    {
      name: 'four whole accounts also add up to the amount',
      stakes: [10_000n, 1_400n, 1_300n, 1_200n, 1_100n],
      lamports: 5_000n,
      expected: ['moveStake', 'deactivate'],
    },
  ])
    it(name, () => {
      const accounts = stakes.map((milliSol, index) => staked(1 + index, (milliSol * SOL) / 1_000n));
      const goal = { goal: 'unstake', lamports: (lamports * SOL) / 1_000n, rounding: exact } as const;
      assert.deepEqual(instructions(planned(goal, worldOf(accounts))), expected);
    });
});

describe('an amount taken from stakes that were never effective', () => {
  it('is paid immediately if any of them can provide it', () => {
    const activating = (tag: number, lamports: bigint) => staked(tag, lamports, { activationEpoch: EPOCH });
    for (const others of [[], [staked(3, 5n * SOL)]]) {
      const world = worldOf([activating(1, 8n * SOL), activating(2, 2_900_000_000n), ...others]);
      const plan = planned({ goal: 'withdraw-amount', lamports: 3_500_000_000n, rounding: exact }, world);
      assert.deepEqual(plan.wallet.later, []);
      assert.equal(plan.wallet.afterLamports, SOL + 3_500_000_000n - plan.cost.feesLamports);
    }
  });
});

describe('plans with several transactions', () => {
  it('split off and deactivate stake in one transaction, wherever the size limit divides the steps', () => {
    const other = staked(3, (3n * SOL) / 2n, { voteAccount: OTHER_VOTE });
    const goal = { goal: 'unstake', lamports: (21n * SOL) / 5n, rounding: exact } as const;
    const counts = new Set<number>();
    for (let memoBytes = 1; memoBytes < 740; memoBytes += 1) {
      const { transactions } = planned(goal, {
        ...worldOf([staked(1, 4n * SOL), other]),
        memoBytes,
      });
      counts.add(transactions.length);
      for (const { operations } of transactions)
        for (const one of operations)
          if (one.type === 'split')
            assert.ok(operations.some((next) => next.type === 'deactivate' && next.account === one.into));
    }
    assert.deepEqual([...counts], [1, 2]);
  });

  it('merge accounts below the minimum in as many transactions as necessary', () => {
    const accounts = Array.from({ length: 60 }, (_, index) => staked(1 + index, SOL / 20n));
    const goal = { goal: 'unstake', lamports: SOL + SOL / 2n + 1n, rounding: exact } as const;
    const plan = planned(goal, worldOf(accounts));
    assert.ok(plan.transactions.length > 1);
    assert.equal(plan.amountLamports, goal.lamports);
  });
});

it('locked inactive stake is reported as blocked by its lockup, without a first possible epoch', () => {
  const lockup = { unixTimestamp: 0n, epoch: EPOCH + 5n, custodian: STAKER };
  const cooled = { ...staked(1, 5n * SOL, { activationEpoch: 1n, deactivationEpoch: 2n }), lockup };
  const refusal = refused({ goal: 'withdraw-all' }, worldOf([cooled]));
  assert.ok(refusal.why === 'NOTHING_TO_DO');
  assert.deepEqual(refusal.blocked, [{ account: at(1), reason: 'lockup', possibleFromEpoch: null }]);
});

describe('a stake authority that is not the owner', () => {
  const dust = Array.from({ length: 60 }, (_, index) =>
    initializedStake({ address: at(index + 1), stakeAuthority: STAKER, lamports: SOL / 50n + RENT }),
  );
  const world = { ...worldOf(dust), wallet: STAKER, owner: OWNER };

  it('cannot withdraw many small accounts to stake them as one, which the owner can do', () => {
    assert.equal(refused({ goal: 'restake' }, world).why, 'BELOW_MINIMUM');
    const own = dust.map((one) => ({ ...one, stakeAuthority: OWNER }));
    assert.ok(instructions(planned({ goal: 'restake' }, worldOf(own))).includes('withdraw'));
  });

  it('only plans with accounts of that owner for which it is the stake authority', () => {
    const stake = { ...staked(1, 5n * SOL), stakeAuthority: STAKER };
    const goal: PlanGoal = { goal: 'unstake', lamports: 5n * SOL, rounding: exact };
    assert.deepEqual(instructions(planned(goal, { ...world, accounts: [stake] })), ['deactivate']);
    for (const other of [
      { ...stake, withdrawAuthority: STAKER },
      { ...stake, stakeAuthority: OWNER },
    ])
      assert.equal(refused(goal, { ...world, accounts: [other] }).why, 'AMOUNT_NOT_REACHABLE');
  });
});
