// Describes the state of a stake account in sentences, with amounts in SOL.
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { solFigure } from '../lamports.ts';
import { EPOCH_ABSENT, type StakeAccount } from './stake-account.ts';

/** Amounts for the sentences, in lamports. */
interface DescribedStake {
  readonly state: 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';
  readonly activeLamports: bigint;
  readonly activatingLamports: bigint;
  readonly lockupInForce: boolean;
  readonly withdrawableAtEpoch: bigint | null;
}

const stateSentence = (account: StakeAccount, stake: DescribedStake): Sentence => {
  const delegation = account.delegation;
  const activeSol = solFigure(stake.activeLamports);
  const activatingSol = solFigure(stake.activatingLamports);
  switch (stake.state) {
    case 'initialized':
      return sentence('NOT_DELEGATED', 'Not delegated.');
    case 'activating':
      return stake.activeLamports > 0n
        ? sentence(
            'ACTIVATING_PARTLY',
            'Activating: {activeSol} SOL is earning rewards, {activatingSol} SOL is still activating.',
            { activeSol, activatingSol },
          )
        : sentence(
            'ACTIVATING',
            'Activating: {activatingSol} SOL starts earning at an epoch boundary, the next one at the earliest.',
            { activatingSol },
          );
    case 'active':
      return sentence('ACTIVE', 'Active: {activeSol} SOL is earning rewards. Unstake first to withdraw it.', {
        activeSol,
      });
    case 'deactivating': {
      const deactivationEpoch = Number(delegation?.deactivationEpoch);
      return stake.withdrawableAtEpoch === null
        ? sentence(
            'DEACTIVATING',
            'Deactivating since epoch {deactivationEpoch}: {activeSol} SOL is not withdrawable yet.',
            { deactivationEpoch, activeSol },
          )
        : sentence(
            'DEACTIVATING_UNTIL_EPOCH',
            'Deactivating since epoch {deactivationEpoch}: {activeSol} SOL is not withdrawable before epoch {withdrawableAtEpoch}.',
            { deactivationEpoch, activeSol, withdrawableAtEpoch: Number(stake.withdrawableAtEpoch) },
          );
    }
    case 'inactive':
      return delegation?.activationEpoch === delegation?.deactivationEpoch
        ? sentence('NEVER_ACTIVE', 'Deactivated in the epoch of its activation, so it was never active.')
        : sentence('INACTIVE', 'Inactive.');
  }
};

const LAST_DATE_SECONDS = 8_640_000_000_000n;

/**
 * Returns an epoch as a parameter. Anyone can write a lockup with any epoch, but JSON integers are only exact
 * up to 2^53.
 */
const epochFigure = (epoch: bigint): string | number =>
  epoch <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(epoch) : String(epoch);

const lockupSentence = ({ lockup }: StakeAccount, epoch: bigint, unixTimestamp: bigint): Sentence => {
  const byDate = lockup.unixTimestamp > unixTimestamp;
  const byEpoch = lockup.epoch > epoch;
  const isEndless =
    (byDate && lockup.unixTimestamp > LAST_DATE_SECONDS) || (byEpoch && lockup.epoch === EPOCH_ABSENT);
  const until = [
    ...(byDate ? [lockup.unixTimestamp > LAST_DATE_SECONDS ? 'a date that never comes' : '{date}'] : []),
    ...(byEpoch ? [lockup.epoch === EPOCH_ABSENT ? 'an epoch that never comes' : 'epoch {epoch}'] : []),
  ];
  return sentence(
    isEndless
      ? 'LOCKED_FOREVER'
      : `LOCKED_UNTIL_${[byDate ? 'DATE' : [], byEpoch ? 'EPOCH' : []].flat().join('_AND_')}`,
    `Locked until ${until.join(' and ')}: only the custodian {custodian} can approve withdrawals.`,
    {
      custodian: lockup.custodian,
      ...(until.includes('{date}') && { date: new Date(Number(lockup.unixTimestamp) * 1_000).toISOString() }),
      ...(until.includes('epoch {epoch}') && { epoch: epochFigure(lockup.epoch) }),
    },
  );
};

/** Describes an assessed account: first its state, then other obstacles to a withdrawal. */
export const describeStake = (
  account: StakeAccount,
  chain: { readonly epoch: bigint; readonly unixTimestamp: bigint; readonly epochRewardsActive: boolean },
  stake: DescribedStake,
): Sentence[] => {
  const sentences = [stateSentence(account, stake)];
  if (stake.lockupInForce) sentences.push(lockupSentence(account, chain.epoch, chain.unixTimestamp));
  if (chain.epochRewardsActive)
    sentences.push(
      sentence(
        'REWARDS_PAID_OUT',
        'Rewards are being paid out. Stake accounts are locked until that is done.',
      ),
    );
  const free = stake.state === 'initialized' || stake.state === 'inactive';
  if (free && !stake.lockupInForce && !chain.epochRewardsActive)
    sentences.push(sentence('WITHDRAWABLE', 'The full balance can be withdrawn.'));
  return sentences;
};
