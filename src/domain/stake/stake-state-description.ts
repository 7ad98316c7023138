// Describes the state of a stake account for people, with figures in SOL.
import { formatSol } from '../lamports.ts';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';

/** Figures in the sentences, in lamports. */
interface DescribedStake {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  readonly activeLamports: bigint;
  readonly activatingLamports: bigint;
  readonly lockupInForce: boolean;
  readonly withdrawableAtEpoch: bigint | null;
}

const sol = (lamports: bigint): string => `${formatSol(lamports)} SOL`;

const stateSentence = (account: StakeAccount, stake: DescribedStake): string => {
  const delegation = account.delegation;
  switch (stake.state) {
    case 'initialized':
      return 'Not delegated.';
    case 'activating':
      return stake.activeLamports > 0n
        ? `Activating: ${sol(stake.activeLamports)} is earning rewards, ${sol(stake.activatingLamports)} is still activating.`
        : `Activating: ${sol(stake.activatingLamports)} starts to earn at an epoch boundary, the next one at the earliest.`;
    case 'active':
      return `Active: ${sol(stake.activeLamports)} is earning rewards. Unstake first to withdraw it.`;
    case 'deactivating': {
      const until = stake.withdrawableAtEpoch === null ? 'yet' : `before epoch ${stake.withdrawableAtEpoch}`;
      return `Deactivating since epoch ${delegation?.deactivationEpoch}: ${sol(stake.activeLamports)} is not withdrawable ${until}.`;
    }
    case 'inactive':
      return delegation?.activationEpoch === delegation?.deactivationEpoch
        ? 'Deactivated in the epoch of its activation, so it was never active.'
        : 'Inactive.';
  }
};

const lockupSentence = (account: StakeAccount, epoch: bigint, unixTimestamp: bigint): string => {
  const { lockup } = account;
  const until = [
    ...(lockup.unixTimestamp > unixTimestamp ? [isoSeconds(lockup.unixTimestamp)] : []),
    ...(lockup.epoch > epoch
      ? [lockup.epoch === EPOCH_ABSENT ? 'an epoch that never comes' : `epoch ${lockup.epoch}`]
      : []),
  ];
  return `A lockup until ${until.join(' and ')} allows only its custodian ${lockup.custodian} to approve withdrawals.`;
};

const LAST_DATE_SECONDS = 8_640_000_000_000n;

const isoSeconds = (unixTimestamp: bigint): string =>
  unixTimestamp > LAST_DATE_SECONDS
    ? 'a date that never comes'
    : new Date(Number(unixTimestamp) * 1_000).toISOString();

/** Describes an assessed account: its state, then other obstacles to a withdrawal. */
export const describeStake = (
  account: StakeAccount,
  chain: { readonly epoch: bigint; readonly unixTimestamp: bigint; readonly epochRewardsActive: boolean },
  stake: DescribedStake,
): string => {
  const sentences = [stateSentence(account, stake)];
  if (stake.lockupInForce) sentences.push(lockupSentence(account, chain.epoch, chain.unixTimestamp));
  if (chain.epochRewardsActive)
    sentences.push('Rewards are being paid out. Stake accounts are locked until that is done.');
  const free = stake.state === 'initialized' || stake.state === 'inactive';
  if (free && !stake.lockupInForce && !chain.epochRewardsActive)
    sentences.push('The full balance can be withdrawn.');
  return sentences.join(' ');
};
