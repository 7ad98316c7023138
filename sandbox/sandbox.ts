// Starts a complete local cluster: a real runtime, a real vote account, advancing epochs, and one guarded
// gateway.

import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { encodeBase58 } from './base58.ts';
import { FailedNonces } from './blocks/failed-nonce.ts';
import { HeaderFees } from './blocks/header-fee.ts';
import { HeaderLimits } from './blocks/header-limits.ts';
import { PrioritizationFees } from './blocks/prioritization-fees.ts';
import { TransactionSender } from './blocks/transaction-sender.ts';
import { controlHandler } from './control-api.ts';
import { EpochBoundary, SLOTS_PER_EPOCH } from './epochs/apply-epoch-boundary.ts';
import { encodeRent, RENT_SYSVAR, SYSVAR_OWNER } from './epochs/encode-sysvars.ts';
import { EpochEngine } from './epochs/epoch-engine.ts';
import { OwnValidator } from './epochs/sandbox-validator.ts';
import { replaceStakeProgram } from './epochs/stake-program.ts';
import { AccessGate } from './gateway/access-gate.ts';
import { faucetTransfer } from './gateway/faucet.ts';
import { Gateway } from './gateway/gateway.ts';
import { rpcResponses } from './gateway/rpc-responses.ts';
import { ProviderCluster } from './providers/provider-cluster.ts';
import type { VoteAccountResponse } from './providers/provider-own-validator.ts';
import { providerHandler } from './providers/providers.ts';
import { RuntimeClient } from './runtime-client.ts';
import { createVoteAccounts, fundSandboxKeys, OTHER_VALIDATORS } from './sandbox-genesis.ts';
import { sandboxKey } from './sandbox-keys.ts';
import type { Sandbox, SandboxOptions } from './sandbox-options.ts';
import { startSurfnet } from './surfnet.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;
const MEMO = 'holdfast sandbox';

const TWO_DAYS_SECONDS = 172_800;
/** Rates for two-day epochs: about 6.7 % and 0.18 % a year. */
const REWARD_PPB = 354_000;
const TIP_PPB = 10_000;

/** Scales a rate to the epoch length, so annual yields equal those of a real cluster. */
const perEpochPpb = (twoDaysPpb: number, seconds: number): number =>
  Math.max(1, Math.round((twoDaysPpb * seconds) / TWO_DAYS_SECONDS));

/**
 * Starts a cluster and resolves when clients can use it. @throws {SandboxUnavailableError} if the native
 * runtime does not run on this machine.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const surfnet = await startSurfnet();
  const client = new RuntimeClient(surfnet.rpcUrl);
  const gate = new AccessGate();
  const clusterRestLamports = BigInt(Math.round(options.clusterRestSol ?? 390_000_000)) * LAMPORTS_PER_SOL;
  const startEpoch = options.startEpoch ?? 800;
  const epochSeconds = options.epochSeconds ?? 300;
  const slotMs = options.slotMs ?? 400;
  // An epoch ended on demand is paid as if all of its slots had passed.
  const paidSeconds = epochSeconds === 0 ? (SLOTS_PER_EPOCH * slotMs) / 1_000 : epochSeconds;
  const rewardPpb = options.rewardPpb ?? perEpochPpb(REWARD_PPB, paidSeconds);
  const tipPpb = options.tipPpb ?? perEpochPpb(TIP_PPB, paidSeconds);
  const own = new OwnValidator(client, sandboxKey('vote').address);
  const boundary = new EpochBoundary(client, {
    own,
    clusterRestLamports,
    rewardPpb: BigInt(rewardPpb),
    tipPpb: BigInt(tipPpb),
  });
  const engine = new EpochEngine(client, gate, boundary, {
    slotMs,
    epochSeconds,
    startEpoch,
    epochRewardsBlocks: options.epochRewardsBlocks ?? 3,
    fillBlock: () => sender.fillBlock(),
    onBlock: (slot) => fees.complete(slot),
  });
  const fees = new PrioritizationFees();
  const headerFees = new HeaderFees(client);
  const failedNonces = new FailedNonces(client);
  const sender = new TransactionSender({
    client,
    gate,
    engine,
    fees,
    headerFees,
    headerLimits: new HeaderLimits(client),
    failedNonces,
  });
  sender.setLoad(options.busyNetwork ?? null);
  const writeRent = (lamportsPerByte: bigint): Promise<void> =>
    client.setAccount(
      { address: RENT_SYSVAR, lamports: 1n, data: encodeRent(lamportsPerByte) },
      SYSVAR_OWNER,
    );

  let gateway: Gateway | undefined;
  const close = async (): Promise<void> => {
    await engine.close();
    await gateway?.close();
    client.close();
    await surfnet.stop();
  };
  try {
    const faucet = sandboxKey('faucet');
    await fundSandboxKeys(client);
    await writeRent(BigInt(options.rentLamportsPerByte ?? 5_080));
    if (options.stakeProgram) await replaceStakeProgram(client, options.stakeProgram);
    await boundary.begin(startEpoch);
    await engine.produceBlock();
    await createVoteAccounts(client, engine);
    await boundary.refreshVoteAccounts();
    // The runtime derives its own hash from the current second, so two chains started in the same second would
    // share it.
    const genesisHash = encodeBase58(randomBytes(32));

    const send = faucetTransfer(client, gate, engine);
    let sandbox: Sandbox | undefined;
    const identity = sandboxKey('identity').address;
    const voteAccount = sandboxKey('vote').address;
    const [other, third] = OTHER_VALIDATORS;
    const providerCluster = new ProviderCluster({
      restLamports: clusterRestLamports,
      tipPpb,
      others: OTHER_VALIDATORS,
    });
    const responses = new Map(
      rpcResponses({
        client,
        engine,
        boundary,
        identity,
        voteAccount,
        peers: [{ ...other, stakeLamports: clusterRestLamports }],
        cluster: providerCluster,
        urls: () => ({ rpc: opened.rpcUrl, pubsub: opened.wsUrl }),
        airdrop: send,
      }),
    );
    responses.set('getGenesisHash', () => genesisHash);
    responses.set('sendTransaction', (params) => sender.send(params));
    responses.set('getRecentPrioritizationFees', ([accounts]) =>
      fees.recent(Array.isArray(accounts) ? accounts : []),
    );
    const opened: Gateway = await Gateway.open({
      host: options.host ?? '127.0.0.1',
      rpcPort: options.rpcPort ?? 0,
      client,
      gate,
      engine,
      responses,
      providers: providerHandler({
        engine,
        cluster: providerCluster,
        ledger: boundary.validators,
        voteAccount: async () => {
          const { current, delinquent } = (await responses.get('getVoteAccounts')!([
            { votePubkey: voteAccount },
          ])) as Readonly<Record<'current' | 'delinquent', readonly VoteAccountResponse[]>>;
          const [found = null] = [...current, ...delinquent];
          return found && { ...found, isDelinquent: delinquent.length > 0 };
        },
        twoDayRewardPpb: options.rewardPpb ?? REWARD_PPB,
        twoDayTipPpb: (tipPpb * TWO_DAYS_SECONDS) / paidSeconds,
      }),
      control: controlHandler(() => {
        if (sandbox === undefined) throw new Error('The sandbox is still starting.');
        return sandbox;
      }),
      runtimeWsUrl: surfnet.wsUrl,
      headerFees,
    });
    gateway = opened;
    const facts = {
      rpcUrl: opened.rpcUrl,
      wsUrl: opened.wsUrl,
      controlUrl: `${opened.rpcUrl}/control`,
      stakewizUrl: `${opened.rpcUrl}/providers/stakewiz`,
      jitoUrl: `${opened.rpcUrl}/providers/jito`,
      profileFile: fileURLToPath(new URL('./validator.json', import.meta.url)),
      genesisHash,
      voteAccount,
      identity,
      otherVoteAccount: other.voteAccount,
      thirdVoteAccount: third.voteAccount,
      faucetAddress: faucet.address,
      donationAddress: sandboxKey('donation').address,
      memo: MEMO,
      chain: 'new' as const,
    };
    sandbox = {
      ...facts,
      state: () => ({ ...facts, epoch: engine.epoch }),
      epoch: () => engine.epoch,
      slot: () => engine.slot,
      airdrop: async (wallet, lamports, signal) => {
        signal.throwIfAborted();
        const signature = await send(wallet, lamports);
        await engine.nextBlock(signal);
        return signature;
      },
      advanceEpochs: (count) => engine.advanceEpochs(count),
      advanceBlocks: (count) => engine.advanceBlocks(count),
      holdEpochRewards: (hold) => engine.holdEpochRewards(hold),
      setRent: (lamportsPerByte) =>
        gate.exclusive(() => {
          engine.noteChange();
          return writeRent(lamportsPerByte);
        }),
      setAccount: ({ address, lamports, data, owner }) =>
        gate.exclusive(() => {
          engine.noteChange();
          return client.setAccount({ address, lamports, data }, owner);
        }),
      setValidator: (conduct) =>
        gate.exclusive(async () => {
          engine.noteChange();
          const state = await own.set(conduct);
          await boundary.refreshVoteAccounts();
          return state;
        }),
      setBusyNetwork: (settings) =>
        gate.exclusive(() => {
          sender.setLoad(settings);
          return sender.load;
        }),
      nextBlock: (signal) => engine.nextBlock(signal),
      close,
      [Symbol.asyncDispose]: close,
    };
    engine.start();
    return sandbox;
  } catch (cause) {
    await close();
    throw cause;
  }
}
