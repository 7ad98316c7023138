// Triggers every alert for stakers on a sandbox, one after another, with a registration that receives all of
// them.
import { address } from '@solana/kit';
import { getSetLockupInstruction } from '@solana-program/stake';
import { getAssignInstruction } from '@solana-program/system';
import { encodeBase58 } from '../../sandbox/base58.ts';
import { readVoteState, VOTE_PROGRAM, withNode } from '../../sandbox/epochs/vote-account.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import type { EventType } from '../../src/domain/notification-types.ts';
import { authorize, until } from './index-fixture.ts';
import type { Receiver } from './receiver.ts';
import { SandboxStaker } from './sandbox-staker.ts';
import type { RunningService } from './service-fixture.ts';

const SOL = 1_000_000_000n;

/** Event types that are alerts. */
export const ALERTS = [
  'stake_authority_changed',
  'unexpected_deactivation',
  'stake_lockup_changed',
  'stake_moved_away',
  'validator_changed',
  'wallet_owner_changed',
] as const satisfies readonly EventType[];

/** Fields of a delivery that tests use. */
export interface DeliveredAlert {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Triggers the alerts. Resolves with the addresses and with the deliveries to the wallet's registration once it
 * has received one of each type.
 */
export const playAlerts = async (
  sandbox: Sandbox,
  service: RunningService,
  receiver: Pick<Receiver, 'url' | 'received'>,
) => {
  const [owner, thief] = [
    await SandboxStaker.fund(sandbox, 20n * SOL),
    await SandboxStaker.fund(sandbox, SOL),
  ];
  const [walletAddress, thiefAddress] = [owner.wallet.address, thief.wallet.address];
  await service.client.post('/api/v1/webhooks', {
    walletAddress,
    callbackUrl: `${receiver.url}/alerts`,
    events: [...ALERTS, 'stake_activated'],
  });
  const delivered = (): readonly DeliveredAlert[] =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as DeliveredAlert)
      .filter(({ data }) => data.walletAddress === walletAddress);
  const waitForAlert = (type: EventType, count = 1) =>
    until(async () => delivered().filter((one) => one.type === type).length >= count, type);

  const stake = await owner.stake(5n * SOL);
  await sandbox.advanceEpochs(1);
  await waitForAlert('stake_activated');
  await owner.send([authorize(owner, stake, thiefAddress, 'Staker')]);
  await waitForAlert('stake_authority_changed');
  await thief.deactivate(stake);
  await waitForAlert('unexpected_deactivation');
  await owner.send([authorize(owner, stake, walletAddress, 'Staker')]);
  await waitForAlert('stake_authority_changed', 2);
  await sandbox.advanceEpochs(1);
  await owner.send([
    getSetLockupInstruction({
      stake: address(stake),
      authority: owner.wallet,
      unixTimestamp: null,
      epoch: 1_000,
      custodian: thief.wallet.address,
    }),
  ]);
  await waitForAlert('stake_lockup_changed');
  await owner.send([owner.delegateInstruction(stake, sandbox.otherVoteAccount)]);
  // An account that leaves the validator triggers no notification. The next scheduled scan finds it.
  await waitForAlert('stake_moved_away');

  const { value: vote } = await owner.rpc
    .getAccountInfo(address(sandbox.voteAccount), { encoding: 'base64', commitment: 'confirmed' })
    .send();
  const data = Buffer.from(vote!.data[0], 'base64');
  const { nodeAddressBytes, commissionBps } = readVoteState(data)!;
  await sandbox.setAccount({
    address: sandbox.voteAccount,
    lamports: BigInt(vote!.lamports),
    owner: VOTE_PROGRAM,
    data: withNode(data, encodeBase58(nodeAddressBytes), commissionBps + 9_000),
  });
  await waitForAlert('validator_changed');
  await owner.send([getAssignInstruction({ account: owner.wallet, programAddress: address(VOTE_PROGRAM) })]);
  await waitForAlert('wallet_owner_changed');
  return { delivered: delivered(), stake, walletAddress, thiefAddress };
};
