// Plans a move of stake from other validators. Active stake must be deactivated first and loses one epoch.
// Stake that is not active yet moves immediately.
import type { Address } from '@solana/kit';
import { mergeClassOf } from '../../machine/merge-class.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import { predictCooledEpoch } from '../../stake/stake-state-prediction.ts';
import { stakeOf } from '../divide-group.ts';
import type {
  AtomicStep,
  BlockedAccount,
  DraftOrRefusal,
  ForgoneReward,
  LaterStep,
  PlanInputs,
} from '../plan.ts';
import { isNotDeactivating } from '../plan-accounts.ts';

/** Accounts to move; default: all accounts delegated elsewhere. */
export interface MigrateGoal {
  readonly accounts?: readonly Address[];
}

/**
 * Plans the steps of a migration that are possible now. After the boundary, the same goal plans the delegation
 * of the deactivated stake.
 */
export const planMigrate = ({ accounts }: MigrateGoal, world: PlanInputs): DraftOrRefusal => {
  const { chain, wallet, voteAccount } = world;
  const steps: AtomicStep[] = [];
  const laterSteps: LaterStep[] = [];
  const blocked: BlockedAccount[] = [];
  const forgone: ForgoneReward[] = [];
  const delegateLater = ({ address, delegation }: StakeAccount, deactivationEpoch: bigint): void => {
    const epoch = predictCooledEpoch({ ...delegation!, deactivationEpoch }, chain.epoch, chain.history);
    laterSteps.push({ account: address, action: 'delegate', epoch });
  };
  for (const account of world.accounts) {
    const { address, delegation } = account;
    if (account.withdrawAuthority !== wallet || delegation === null || delegation.voteAccount === voteAccount)
      continue;
    if (accounts?.includes(address) === false) continue;
    if (account.lamports - chain.stakeRentLamports < chain.minimumDelegationLamports) {
      blocked.push({ account: address, reason: 'below the minimum', possibleFromEpoch: null });
      continue;
    }
    // If another address is the stake authority, the withdraw authority takes over that role first.
    const takeOver: readonly MachineOperation[] =
      account.stakeAuthority === wallet
        ? []
        : [{ type: 'authorize', account: address, role: 'staker', authority: wallet, newAuthority: wallet }];
    const held = mergeClassOf(account, chain);
    if (held === 'inactive' || held === 'activating') {
      steps.push([...takeOver, { type: 'delegate', account: address, voteAccount, authority: wallet }]);
    } else if (isNotDeactivating(account)) {
      steps.push([...takeOver, { type: 'deactivate', account: address, authority: wallet }]);
      delegateLater(account, chain.epoch);
      forgone.push({ stakeLamports: stakeOf(account), epochs: 1 });
    } else delegateLater(account, delegation.deactivationEpoch);
  }
  return { steps, laterSteps, blocked, forgone };
};
