// Compares Holdfast's rules with the real program's responses about the same account, to the lamport.
import type { Address, Instruction } from '@solana/kit';
import { STAKE_ERROR } from '../../src/domain/machine/stake-machine-state.ts';
import { suggestedActions } from '../../src/domain/portfolio/suggested-actions.ts';
import { checkRestake } from '../../src/domain/stake/restake-rules.ts';
import { EPOCH_ABSENT, type StakeAccount } from '../../src/domain/stake/stake-account.ts';
import {
  assessStake,
  type StakeAssessment,
  type StakeChainFacts,
} from '../../src/domain/stake/stake-state.ts';
import { checkUnstake } from '../../src/domain/stake/unstake-rules.ts';
import { checkWithdraw } from '../../src/domain/stake/withdraw-rules.ts';
import { AppError } from '../../src/kernel/app-error.ts';
import * as build from './truth-instructions.ts';
import type { TruthRandom } from './truth-random.ts';
import type { Refusal } from './truth-runtime.ts';

/**
 * Maps each refusal of a withdrawal or deactivation by the program to Holdfast's code, as far as the program
 * distinguishes them.
 */
const PROGRAM_ERRORS: Readonly<Record<string, Refusal>> = {
  AUTHORITY_MISMATCH: 'MissingRequiredSignature',
  EPOCH_REWARDS_ACTIVE: STAKE_ERROR.EpochRewardsActive,
  STAKE_LOCKED: STAKE_ERROR.LockupInForce,
  STAKE_NOT_WITHDRAWABLE: 'InsufficientFunds',
  INSUFFICIENT_STAKE_BALANCE: 'InsufficientFunds',
  WITHDRAW_LEAVES_BELOW_RENT: 'InsufficientFunds',
  STAKE_NOT_DELEGATED: 'InvalidAccountData',
  STAKE_ALREADY_DEACTIVATED: STAKE_ERROR.AlreadyDeactivated,
  BELOW_MINIMUM_STAKE: STAKE_ERROR.InsufficientDelegation,
};

const codeOf = (rule: () => unknown): string | null => {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

/** A mismatch, described in words. */
export class TruthMismatch extends Error {}

/** A simulated transaction, and the program's response expected by Holdfast's rules. */
export interface TruthQuestion {
  readonly what: string;
  readonly account: StakeAccount;
  readonly instructions: readonly Instruction[];
  readonly expected: Refusal | 'refused';
}

/** Queries the program about accounts and counts the comparisons. */
export class TruthChecker {
  readonly counts = new Map<string, number>();
  readonly #random: TruthRandom;
  readonly #votes: readonly Address[];
  readonly #outsider: Address;
  #questions: TruthQuestion[] = [];

  /** `votes`: the validators to which an account may be delegated. `outsider` owns nothing. */
  constructor(random: TruthRandom, votes: readonly Address[], outsider: Address) {
    this.#random = random;
    this.#votes = votes;
    this.#outsider = outsider;
  }

  /** Returns the queries about `account` in the current state of the chain. */
  questions(account: StakeAccount, chain: StakeChainFacts): readonly TruthQuestion[] {
    this.#questions = [];
    const assessment = assessStake(account, chain);
    this.#count(`state ${assessment.state}`);
    if (assessment.deactivatingLamports > 0n && assessment.withdrawableLamports > 0n)
      this.#count('partly cooled down');
    if (assessment.activatingLamports > 0n && assessment.activeLamports > 0n) this.#count('partly warmed up');
    this.#limits(account, assessment);
    this.#rules(account, assessment, chain);
    this.#unstake(account, assessment);
    this.#restake(account, assessment, chain);
    this.#effective(account, assessment, chain);
    this.#suggested(account, assessment, chain);
    return this.#questions;
  }

  /** Throws `TruthMismatch` if the program's response differs from Holdfast's rules. */
  evaluate({ what, account, expected }: TruthQuestion, answered: Refusal): void {
    this.#count(what);
    if (expected === 'refused' ? answered !== null : answered === expected) return;
    throw new TruthMismatch(
      `${what}: expected ${expected ?? 'accepted'}, the program says ${answered ?? 'accepted'}; ${show(account)}`,
    );
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #expect(
    what: string,
    account: StakeAccount,
    expected: Refusal | 'refused',
    instructions: readonly Instruction[],
  ): void {
    this.#questions.push({ what, account, expected, instructions });
  }

  #withdraw(account: StakeAccount, lamports: bigint, custodian?: Address): readonly Instruction[] {
    return [build.withdraw(account.address, account.withdrawAuthority, lamports, custodian)];
  }

  /**
   * Checks the amounts of the assessment, which are for the withdraw authority without a custodian's signature.
   */
  #limits(account: StakeAccount, assessment: StakeAssessment): void {
    const { lamports } = account;
    const { withdrawableLamports: most, partialWithdrawMaxLamports: part, withdrawReady } = assessment;
    if (most > 0n) this.#expect('withdrawable', account, null, this.#withdraw(account, most));
    this.#expect('withdrawable + 1', account, 'refused', this.#withdraw(account, most + 1n));
    if (part > 0n) this.#expect('partial', account, null, this.#withdraw(account, part));
    if (part + 1n < lamports)
      this.#expect('partial + 1', account, 'refused', this.#withdraw(account, part + 1n));
    if (lamports - 1n > part)
      this.#expect('full - 1', account, 'refused', this.#withdraw(account, lamports - 1n));
    this.#expect('full', account, withdrawReady ? null : 'refused', this.#withdraw(account, lamports));
  }

  /** Checks the rules for any amount. The custodian also signs if the wallet is its own custodian. */
  #rules(account: StakeAccount, assessment: StakeAssessment, chain: StakeChainFacts): void {
    const { lamports, lockup } = account;
    const wallet = account.withdrawAuthority;
    const custodian = assessment.lockupInForce && lockup.custodian === wallet ? wallet : undefined;
    const staked = account.delegation?.stakeLamports ?? 0n;
    const rent = chain.stakeRentLamports;
    const amounts = [
      this.#random.lamports(lamports),
      this.#random.pick([
        lamports - rent,
        lamports - staked - rent,
        lamports - assessment.activeLamports - rent,
        lamports,
      ]) + BigInt(this.#random.int(3) - 1),
    ];
    for (const amount of amounts) {
      if (amount <= 0n) continue;
      let named: boolean | undefined;
      const code = codeOf(() => {
        named = checkWithdraw(account, assessment, {
          wallet,
          requestedLamports: amount,
          chain,
        }).custodianNeeded;
      });
      if (named !== undefined && named !== (custodian !== undefined)) {
        throw new TruthMismatch(`custodianNeeded ${named}; ${show(account)}`);
      }
      this.#expect(
        code ?? 'withdraw rule accepts',
        account,
        code === null ? null : PROGRAM_ERRORS[code]!,
        this.#withdraw(account, amount, custodian),
      );
    }
  }

  #unstake(account: StakeAccount, assessment: StakeAssessment): void {
    const wallet = account.stakeAuthority;
    const code = codeOf(() => checkUnstake(account, assessment, { wallet }));
    this.#expect(code ?? 'unstake rule accepts', account, code === null ? null : PROGRAM_ERRORS[code]!, [
      build.deactivate(account.address, wallet),
    ]);
    const outsider = this.#outsider;
    if (assessment.epochRewardsActive || code !== null) return;
    const refused = codeOf(() => checkUnstake(account, assessment, { wallet: outsider }));
    this.#expect(`unstake by an outsider: ${refused}`, account, PROGRAM_ERRORS[refused!]!, [
      build.deactivate(account.address, outsider),
    ]);
  }

  /**
   * Checks a delegation from any previous validator. No lamport can be withdrawn right afterwards, which shows
   * the delegated amount.
   */
  #restake(account: StakeAccount, assessment: StakeAssessment, chain: StakeChainFacts): void {
    const limits = { stakeRentLamports: chain.stakeRentLamports, minimumDelegationLamports: 1_000_000_000n };
    const response = (wallet: Address, ...more: readonly Instruction[]) => [
      build.delegate(account.address, this.#random.pick(this.#votes), wallet),
      ...more,
    ];
    const wallet = account.stakeAuthority;
    const code = codeOf(() => checkRestake(account, assessment, { wallet, ...limits }));
    // The program treats some of these differently, as an undone deactivation or a top-up.
    if (code === 'STAKE_NOT_INACTIVE') {
      this.#count('restake of what is not inactive');
      return;
    }
    const expected = code === null ? null : PROGRAM_ERRORS[code]!;
    this.#expect(code ? `restake: ${code}` : 'restake rule accepts', account, expected, response(wallet));
    if (code !== null) return;
    if (!assessment.lockupInForce)
      this.#expect(
        'restake leaves nothing free',
        account,
        'InsufficientFunds',
        response(wallet, build.withdraw(account.address, account.withdrawAuthority, 1n)),
      );
    const outsider = this.#outsider;
    const refused = codeOf(() => checkRestake(account, assessment, { wallet: outsider, ...limits }));
    this.#expect(
      `restake by an outsider: ${refused}`,
      account,
      PROGRAM_ERRORS[refused!]!,
      response(outsider),
    );
  }

  /**
   * Checks that the program accepts every operation suggested to an authority, and refuses a deactivation that
   * is not suggested.
   */
  #suggested(account: StakeAccount, assessment: StakeAssessment, chain: StakeChainFacts): void {
    const { address, stakeAuthority, withdrawAuthority } = account;
    const limits = { stakeRentLamports: chain.stakeRentLamports, minimumDelegationLamports: 1_000_000_000n };
    const calls: Readonly<Record<string, readonly Instruction[] | undefined>> = {
      withdraw: this.#withdraw(account, assessment.withdrawableLamports),
      unstake: [build.deactivate(address, stakeAuthority)],
      restake: [build.delegate(address, this.#votes[0]!, stakeAuthority)],
    };
    for (const role of ['owner', 'staker'] as const) {
      const suggested = suggestedActions(account, assessment, role, limits).map(({ action }) => action);
      for (const action of suggested)
        if (calls[action]) this.#expect(`suggested to the ${role}: ${action}`, account, null, calls[action]);
      const acts = role === 'staker' || stakeAuthority === withdrawAuthority;
      if (acts && !suggested.includes('unstake'))
        this.#expect(`not suggested to the ${role}: unstake`, account, 'refused', calls.unstake!);
    }
  }

  /**
   * Checks the effective amount: after a deactivation in the same transaction, everything above effective stake
   * and rent can be withdrawn, and not one lamport more.
   */
  #effective(account: StakeAccount, assessment: StakeAssessment, chain: StakeChainFacts): void {
    if (account.delegation?.deactivationEpoch !== EPOCH_ABSENT) return;
    if (assessment.epochRewardsActive || assessment.lockupInForce) return;
    const after = (lamports: bigint) => [
      build.deactivate(account.address, account.stakeAuthority),
      build.withdraw(account.address, account.withdrawAuthority, lamports),
    ];
    if (assessment.activeLamports === 0n) {
      this.#expect('nothing effective', account, null, after(account.lamports));
      return;
    }
    const free = account.lamports - assessment.activeLamports - chain.stakeRentLamports;
    if (free > 0n) this.#expect('above effective', account, null, after(free));
    this.#expect('above effective + 1', account, 'InsufficientFunds', after(free >= 0n ? free + 1n : 1n));
  }
}

const show = (account: StakeAccount): string =>
  JSON.stringify(account, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
