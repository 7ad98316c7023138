// The page describes the state of a stake account in the words of the service.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { solNumber } from '../../../../../src/domain/lamports.ts';
import { EPOCH_ABSENT, shownLockup } from '../../../../../src/domain/stake/stake-account.ts';
import { assessStake } from '../../../../../src/domain/stake/stake-state.ts';
import { textOf } from '../../../../../src/kernel/sentence.ts';
import {
  CUSTODIAN,
  chainFacts,
  delegatedStake,
  initializedStake,
  SOL,
} from '../../../../../test/support/stake-account-examples.ts';
import { dateText } from '../../../text/format-figures.ts';
import { stateWords } from './state-words.ts';

type Account = Parameters<typeof assessStake>[0];
type Chain = Parameters<typeof assessStake>[1];

const epochOf = (epoch: bigint | null | undefined): number | null =>
  epoch == null || epoch === EPOCH_ABSENT ? null : Number(epoch);

const said = (account: Account, chain: Chain): string => {
  const found = assessStake(account, chain);
  return stateWords(
    {
      state: found.state,
      activeSol: solNumber(found.activeLamports),
      activatingSol: solNumber(found.activatingLamports),
      activationEpoch: epochOf(account.delegation?.activationEpoch),
      deactivationEpoch: epochOf(account.delegation?.deactivationEpoch),
      withdrawableAtEpoch: epochOf(found.withdrawableAtEpoch),
      withdrawReady: found.withdrawReady,
      lockup: shownLockup(account.lockup),
    },
    { currentEpoch: Number(chain.epoch), epochRewardsActive: chain.epochRewardsActive },
    Number(chain.unixTimestamp) * 1_000,
  );
};

/** The service writes ISO 8601. */
const inPageDates = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, dateText);

const crowdedEntry = {
  effectiveLamports: 1_000n * SOL,
  activatingLamports: 200n * SOL,
  deactivatingLamports: 0n,
};

it('every state, lockup and freeze is described as the service describes it', () => {
  const lockup = (unixTimestamp: bigint, epoch: bigint) => ({ unixTimestamp, epoch, custodian: CUSTODIAN });
  const unstaked = { deactivationEpoch: 20n };
  const cases: readonly (readonly [Account, Chain])[] = [
    [initializedStake(), chainFacts()],
    [delegatedStake(), chainFacts()],
    [delegatedStake({ delegation: { activationEpoch: 20n } }), chainFacts()],
    [
      delegatedStake({ delegation: { activationEpoch: 10n } }),
      chainFacts({ epoch: 11n, history: new Map([[10n, crowdedEntry]]) }),
    ],
    [delegatedStake({ delegation: unstaked }), chainFacts()],
    [delegatedStake({ delegation: unstaked, lockup: lockup(0n, EPOCH_ABSENT) }), chainFacts()],
    [delegatedStake({ delegation: { deactivationEpoch: 19n } }), chainFacts()],
    [delegatedStake({ delegation: { deactivationEpoch: 19n } }), chainFacts({ epochRewardsActive: true })],
    [delegatedStake({ delegation: { activationEpoch: 19n, deactivationEpoch: 19n } }), chainFacts()],
    [initializedStake({ lockup: lockup(2_000_000_000n, 30n) }), chainFacts()],
    [initializedStake({ lockup: lockup(1n, 30n) }), chainFacts()],
    [initializedStake({ lockup: lockup(1n, 1n) }), chainFacts()],
    [initializedStake({ lockup: lockup(2n ** 62n, EPOCH_ABSENT) }), chainFacts()],
  ];
  for (const [account, chain] of cases)
    assert.equal(said(account, chain), inPageDates(textOf(assessStake(account, chain).stateSentences)));
});
