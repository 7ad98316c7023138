// Every RPC call that Holdfast makes, in its exact form, for all relevant kinds of responses: success, null,
// empty, and each error of a node.
import { type Address, type Blockhash, generateKeyPairSigner, type Signature } from '@solana/kit';
import { ChainActor } from './chain-actor.ts';

const SOL = 1_000_000_000n;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const EPOCH_SCHEDULE = 'SysvarEpochSchedu1e111111111111111111111111';
const EPOCH_REWARDS = 'SysvarEpochRewards1111111111111111111111111';
const RENT = 'SysvarRent111111111111111111111111111111111';
const TAG_DELEGATED = 'AgAAAA==';
const FAR_SLOT = 10 ** 12;
/** An address and a signature that exist on no cluster. */
const NO_ADDRESS = '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh8';
const NO_SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const NO_BLOCKHASH = '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn' as Blockhash;

/** One call, whose name describes the case. */
export interface RecordedCall {
  readonly method: string;
  readonly name: string;
  readonly params: readonly unknown[];
}

/** A chain that has been prepared for recording. */
export interface RecordedChain {
  readonly actor: ChainActor;
  readonly voteAccount: string;
  readonly identity: string;
  /** A stake account that earned rewards for `rewardedEpoch`. */
  readonly stake: Address;
  readonly rewardedEpoch: number;
  readonly legacy: Signature;
  readonly version0: Signature;
  readonly failed: Signature;
}

/** Creates stakes and waits three epochs, after which every kind of response occurs. */
export const prepareChain = async (options: {
  readonly rpcUrl: string;
  readonly voteAccount: string;
  readonly identity: string;
  /** Ends the epoch or waits for its end. */
  readonly nextEpoch: (actor: ChainActor) => Promise<void>;
}): Promise<RecordedChain> => {
  const { rpcUrl, voteAccount, identity, nextEpoch } = options;
  const actor = await ChainActor.fund(rpcUrl, 1_000n * SOL);
  const stake = await generateKeyPairSigner();
  const legacy = await actor.send([
    ...(await actor.stakeInstructions(stake, voteAccount, 200n * SOL)),
    actor.memo('Staked through Holdfast'),
  ]);
  const version0 = await actor.send([actor.transfer(stake.address, 1_000n)], { version: 0 });
  await nextEpoch(actor);
  const rewardedEpoch = await actor.epoch();
  const failed = await actor.send([actor.withdrawal(stake.address, 150n * SOL)], { skipPreflight: true });
  await nextEpoch(actor);
  await nextEpoch(actor);
  return { actor, voteAccount, identity, stake: stake.address, rewardedEpoch, legacy, version0, failed };
};

const confirmed = { commitment: 'confirmed' };
const base64 = { ...confirmed, encoding: 'base64' };
const late = { minContextSlot: FAR_SLOT };

const delegatedTo = (voteAccount: string) => [
  { dataSize: 200 },
  { memcmp: { offset: 0, bytes: TAG_DELEGATED, encoding: 'base64' } },
  { memcmp: { offset: 124, bytes: voteAccount, encoding: 'base58' } },
];

const calls =
  (method: string) =>
  (name: string, ...params: readonly unknown[]): RecordedCall => ({ method, name, params });

const accountCalls = ({ actor, voteAccount, stake }: RecordedChain): RecordedCall[] => {
  const several = calls('getMultipleAccounts');
  const scan = calls('getProgramAccounts');
  const ours = { ...base64, withContext: true, filters: delegatedTo(voteAccount) };
  const of = (offset: number, bytes: string) => [
    { dataSize: 200 },
    { memcmp: { offset, bytes, encoding: 'base58' } },
  ];
  return [
    several(
      'a wallet, a stake account and an account that does not exist',
      [actor.wallet.address, stake, NO_ADDRESS],
      base64,
    ),
    several('Clock, EpochSchedule and EpochRewards', [CLOCK, EPOCH_SCHEDULE, EPOCH_REWARDS], base64),
    several('Rent', [RENT], base64),
    several('the vote account', [voteAccount], base64),
    several('the newest bank is older than minContextSlot', [stake], { ...base64, ...late }),
    several('no address', ['nobody'], base64),
    several('101 addresses', Array(101).fill(stake), base64),
    scan('delegated to us', STAKE_PROGRAM, ours),
    scan('delegated to us, the indexed bytes', STAKE_PROGRAM, {
      ...ours,
      dataSlice: { offset: 0, length: 196 },
    }),
    scan('delegated to us, addresses only', STAKE_PROGRAM, { ...ours, dataSlice: { offset: 0, length: 0 } }),
    scan('of a withdrawer', STAKE_PROGRAM, {
      ...base64,
      withContext: true,
      filters: of(44, actor.wallet.address),
    }),
    scan('nothing found', STAKE_PROGRAM, { ...base64, withContext: true, filters: of(44, NO_ADDRESS) }),
    scan('the newest bank is older than minContextSlot', STAKE_PROGRAM, { ...ours, ...late }),
    scan('five filters', STAKE_PROGRAM, { ...ours, filters: Array(5).fill({ dataSize: 200 }) }),
    scan('a filter that is no base58', STAKE_PROGRAM, { ...ours, filters: of(44, 'l0l') }),
  ];
};

const clusterCalls = (): RecordedCall[] => {
  const blockhash = calls('getLatestBlockhash');
  const rent = calls('getMinimumBalanceForRentExemption');
  const samples = calls('getRecentPerformanceSamples');
  return [
    calls('getGenesisHash')('the cluster'),
    calls('getEpochInfo')('confirmed', confirmed),
    calls('getEpochInfo')('finalized', { commitment: 'finalized' }),
    calls('getEpochInfo')('a commitment that does not exist', { commitment: 'sure' }),
    calls('getBlockHeight')('confirmed', confirmed),
    calls('getBlockHeight')('finalized', { commitment: 'finalized' }),
    blockhash('confirmed', confirmed),
    blockhash('the newest bank is older than minContextSlot', { ...confirmed, ...late }),
    rent('a stake account', 200, confirmed),
    rent('a wallet', 0, confirmed),
    calls('getStakeMinimumDelegation')('confirmed', confirmed),
    calls('getSlotLeader')('confirmed', confirmed),
    samples('two', 2),
    samples('more than there may be', 721),
    calls('getSupply')('without the list', { ...confirmed, excludeNonCirculatingAccountsList: true }),
    calls('getInflationRate')('now'),
    calls('getClusterNodes')('all'),
    calls('getFirstAvailableBlock')('now'),
    calls('getSomethingElse')('a method that does not exist'),
  ];
};

const historyCalls = (chain: RecordedChain, slot: number): RecordedCall[] => {
  const { actor, stake, legacy, version0, failed } = chain;
  const statuses = calls('getSignatureStatuses');
  const list = calls('getSignaturesForAddress');
  const transaction = calls('getTransaction');
  const block = calls('getBlock');
  const full = { ...base64, maxSupportedTransactionVersion: 1 };
  const bare = {
    transactionDetails: 'none',
    rewards: false,
    commitment: 'finalized',
    maxSupportedTransactionVersion: 1,
  };
  return [
    statuses('landed, failed and unknown', [legacy, failed, NO_SIGNATURE], {
      searchTransactionHistory: true,
    }),
    statuses('of the recent ones', [legacy, NO_SIGNATURE], { searchTransactionHistory: false }),
    statuses('no signature', ['nothing'], { searchTransactionHistory: true }),
    statuses('257 signatures', Array(257).fill(NO_SIGNATURE), { searchTransactionHistory: true }),
    list('of a stake account', stake, { ...confirmed, limit: 10 }),
    list('of a wallet, before one', actor.wallet.address, { ...confirmed, limit: 2, before: failed }),
    list('of an address that does not exist', NO_ADDRESS, { ...confirmed, limit: 10 }),
    list('more than there may be', stake, { ...confirmed, limit: 1_001 }),
    list('the newest bank is older than minContextSlot', stake, { ...confirmed, limit: 10, ...late }),
    list('no address', 'nobody', { ...confirmed, limit: 10 }),
    transaction('legacy', legacy, full),
    transaction('version 0', version0, full),
    transaction('version 0 to a caller that reads legacy ones only', version0, base64),
    transaction('failed', failed, full),
    transaction('unknown', NO_SIGNATURE, full),
    transaction('no signature', 'nothing', full),
    block('finalized, without transactions', slot, bare),
    block('of a slot to come', FAR_SLOT, bare),
    calls('getBlockTime')('finalized', slot),
    calls('getBlockTime')('of a slot to come', FAR_SLOT),
  ];
};

const validatorCalls = (chain: RecordedChain, slot: number): RecordedCall[] => {
  const { voteAccount, identity, stake, rewardedEpoch } = chain;
  const votes = calls('getVoteAccounts');
  const production = calls('getBlockProduction');
  const leaders = calls('getLeaderSchedule');
  const rewards = calls('getInflationReward');
  return [
    votes('all', confirmed),
    votes('ours', { ...confirmed, votePubkey: voteAccount }),
    votes('one that does not exist', { ...confirmed, votePubkey: NO_ADDRESS }),
    votes('no address', { ...confirmed, votePubkey: 'nobody' }),
    production('ours', { ...confirmed, identity }),
    production('all', confirmed),
    production('one that does not exist', { ...confirmed, identity: NO_ADDRESS }),
    production('a range to come', { ...confirmed, range: { firstSlot: FAR_SLOT } }),
    leaders('ours', slot, { ...confirmed, identity }),
    leaders('one that does not exist', slot, { ...confirmed, identity: NO_ADDRESS }),
    leaders('of a slot to come', FAR_SLOT, { ...confirmed, identity }),
    rewards('one that earned and one that does not exist', [stake, NO_ADDRESS], {
      ...confirmed,
      epoch: rewardedEpoch,
    }),
    rewards('of an epoch to come', [stake], { ...confirmed, epoch: rewardedEpoch + 1_000 }),
    rewards('no address', ['nobody'], { ...confirmed, epoch: rewardedEpoch }),
  ];
};

/** Returns calls that only read. They must be made soon, because the blockhash and the slot become outdated. */
export const readingCalls = async (chain: RecordedChain): Promise<RecordedCall[]> => {
  const slot = await chain.actor.ask<number>('getSlot', [{ commitment: 'finalized' }]);
  return [
    ...clusterCalls(),
    ...accountCalls(chain),
    ...historyCalls(chain, slot),
    ...validatorCalls(chain, slot),
  ];
};

const withFlippedByte = (wire: string): string => {
  const bytes = Buffer.from(wire, 'base64');
  bytes[10] = bytes[10]! ^ 1;
  return bytes.toString('base64');
};

/** Returns simulations and submissions that cover every preflight response. */
export const sendingCalls = async (chain: RecordedChain): Promise<RecordedCall[]> => {
  const { actor, voteAccount, stake } = chain;
  const { address } = actor.wallet;
  const send = calls('sendTransaction');
  const simulate = calls('simulateTransaction');
  const preflight = {
    encoding: 'base64',
    preflightCommitment: 'confirmed',
    skipPreflight: false,
    maxRetries: 0,
  };
  const trial = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: false,
  };
  const signed = async (...instructions: Parameters<ChainActor['sign']>[0]) =>
    (await actor.sign(instructions)).wire;
  const small = await actor.stakeInstructions(await generateKeyPairSigner(), voteAccount, SOL / 2n);
  const below = await signed(...small);
  const good = await signed(actor.transfer(address, 1n));
  const unknownBlockhash = (await actor.sign([actor.transfer(address, 2n)], { blockhash: NO_BLOCKHASH }))
    .wire;
  const tooMuch = await signed(actor.transfer(stake, 10n ** 15n));
  const early = await signed(actor.withdrawal(stake, 150n * SOL));
  const twice = await actor.sign([actor.transfer(address, 3n)]);
  const poor = await ChainActor.fund(actor.rpcUrl, SOL);
  const nobody = await poorTransfer(poor);
  return [
    simulate('succeeds', good, trial),
    simulate('with another blockhash', unknownBlockhash, { ...trial, replaceRecentBlockhash: true }),
    simulate('unknown blockhash', unknownBlockhash, trial),
    simulate('below the minimum delegation', below, trial),
    simulate('no base64', '???', trial),
    send('succeeds', twice.wire, preflight),
    send('the same again', twice.wire, preflight),
    send('below the minimum delegation', below, preflight),
    send('more than the wallet holds', tooMuch, preflight),
    send('withdraws what is staked', early, preflight),
    send('leaves the payer less than its rent', nobody, preflight),
    send('unknown blockhash', unknownBlockhash, preflight),
    send('unknown blockhash without preflight', unknownBlockhash, { ...preflight, skipPreflight: true }),
    send('a wrong signature', withFlippedByte(good), preflight),
    send('no base64', '???', preflight),
    send('base64 of no transaction', Buffer.from('nothing').toString('base64'), preflight),
    send('longer than a packet', Buffer.alloc(1_300, 1).toString('base64'), preflight),
    send('minContextSlot to come', good, { ...preflight, ...late }),
  ];
};

/** Signs a transfer of everything except a fee and a few lamports. */
const poorTransfer = async (poor: ChainActor): Promise<string> =>
  (await poor.sign([poor.transfer(NO_ADDRESS as Address, SOL - 5_100n)])).wire;
