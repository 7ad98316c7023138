// Starts a whole local cluster in this process: real runtime, real vote account, epochs that pass, and one guarded door to it.

import { AccessGate } from './access-gate.ts';
import { decodeAddress } from './base58.ts';
import { controlHandler } from './control.ts';
import { EpochBoundary } from './epoch-boundary.ts';
import { EpochEngine } from './epoch-engine.ts';
import { Gateway } from './gateway.ts';
import {
  type Instruction,
  SYSTEM_PROGRAM,
  signTransaction,
  transferInstruction,
} from './legacy-transaction.ts';
import { rpcAnswers } from './rpc-answers.ts';
import { RuntimeClient } from './runtime-client.ts';
import { type SandboxKey, sandboxKey } from './sandbox-keys.ts';
import { type Surfnet, startSurfnet } from './surfnet.ts';
import { encodeRent, RENT_SYSVAR, SYSVAR_OWNER } from './sysvars.ts';
import { createVoteAccountInstructions, VOTE_ACCOUNT_SPACE, VOTE_PROGRAM, withNode } from './vote-account.ts';

/** Settings of a sandbox; every one has a default. */
export type SandboxOptions = {
  /** JSON-RPC port; WebSocket is on the next one. Default 0: any free pair. */
  readonly rpcPort?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Milliseconds between two blocks. Default 400. */
  readonly slotMs?: number;
  /** Seconds that an epoch lasts; 0: epochs end on demand only and slots pass one by one. Default 300. */
  readonly epochSeconds?: number;
  /** Epoch that the chain starts in, with StakeHistory filled before it. Default 800. */
  readonly startEpoch?: number;
  /** Effective stake of the rest of the cluster in SOL; small values make the 9 % cap bite. Default 390,000,000. */
  readonly clusterRestSol?: number;
  /** Rent in lamports per byte on data size + 128. Default 5,080, which is 1,666,240 lamports for a stake account. */
  readonly rentLamportsPerByte?: number;
  /** Reward of one epoch in billionths of the stake that earned it. Default 354,000, about 6.7 % a year at two-day epochs. */
  readonly rewardPpb?: number;
  /** Tips of one epoch in billionths of effective stake, on about every second account. Default 20,000. */
  readonly tipPpb?: number;
  /** Blocks for which EpochRewards stays active after a boundary. Default 3. */
  readonly epochRewardsBlocks?: number;
};

/** What a client needs to know of a running sandbox. */
export type SandboxState = {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string;
  readonly genesisHash: string;
  readonly epoch: number;
  readonly voteAccount: string;
  readonly identity: string;
  /** A second validator's vote account, to delegate elsewhere. */
  readonly otherVoteAccount: string;
  readonly faucetAddress: string;
  readonly donationAddress: string;
  readonly memo: string;
  /** Always `new`: the runtime cannot restore a chain, so every start begins one. */
  readonly chain: 'new';
};

/** A running local cluster. Close it: it owns ports, timers and a native runtime. */
export type Sandbox = Omit<SandboxState, 'epoch'> &
  AsyncDisposable & {
    state(): SandboxState;
    epoch(): number;
    slot(): number;
    /** A real transfer from the faucet, confirmed; its signature. */
    airdrop(wallet: string, lamports: bigint, signal: AbortSignal): Promise<string>;
    /** Ends `count` epochs now, EpochRewards windows included; the new epoch. Calls queue. */
    advanceEpochs(count: number): Promise<number>;
    /** Keeps EpochRewards active (true) or ends it (false). */
    holdEpochRewards(hold: boolean): Promise<void>;
    /** Sets rent for the RPC and the programs alike. */
    setRent(lamportsPerByte: bigint): Promise<void>;
    /** Writes an account as it is, for situations that no transaction leads to. Lamports up to 2^53. */
    setAccount(account: {
      address: string;
      lamports: bigint;
      data: Uint8Array;
      owner: string;
    }): Promise<void>;
    /** Resolves when the next block is made. */
    nextBlock(signal: AbortSignal): Promise<void>;
    close(): Promise<void>;
  };

const LAMPORTS_PER_SOL = 1_000_000_000n;
// Below 2^53, so that it stays exact as a JavaScript number.
const FAUCET_LAMPORTS = 5_000_000_000_000_000;
const VOTE_ACCOUNT_LAMPORTS = 30_000_000n;
const IDENTITY_LAMPORTS = 10_000_000_000;
const MEMO = 'holdfast sandbox';
const MAX_AIRDROP_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;

async function sendSigned(
  client: RuntimeClient,
  signers: readonly [SandboxKey, ...SandboxKey[]],
  instructions: readonly Instruction[],
): Promise<string> {
  const latest = (await client.call('getLatestBlockhash')) as { value: { blockhash: string } };
  const { signature, wireBase64 } = signTransaction(signers, latest.value.blockhash, instructions);
  await client.call('sendTransaction', [wireBase64, { encoding: 'base64' }]);
  return signature;
}

/** Creates our vote account by the real Vote program and a second one as a copy of it under another node. */
async function createVoteAccounts(
  surfnet: Surfnet,
  client: RuntimeClient,
  engine: EpochEngine,
): Promise<void> {
  const [faucet, identity, vote] = [sandboxKey('faucet'), sandboxKey('identity'), sandboxKey('vote')];
  await sendSigned(
    client,
    [faucet, vote, identity],
    createVoteAccountInstructions({
      funder: faucet.address,
      voteAccount: vote.address,
      identity: identity.address,
      withdrawer: sandboxKey('withdrawer').address,
      lamports: VOTE_ACCOUNT_LAMPORTS,
    }),
  );
  engine.produceBlock();
  const created = (await client.call('getAccountInfo', [vote.address, { encoding: 'base64' }])) as {
    value: { data: [string, string] };
  };
  const data = withNode(Buffer.from(created.value.data[0], 'base64'), sandboxKey('other identity').address);
  if (data.length !== VOTE_ACCOUNT_SPACE) throw new Error('The vote account was not created.');
  surfnet.setAccount(
    sandboxKey('other vote').address,
    Number(VOTE_ACCOUNT_LAMPORTS),
    [...data],
    VOTE_PROGRAM,
  );
}

/**
 * Starts a cluster and resolves when clients can use it.
 * @throws {SandboxUnavailableError} where the native runtime does not run.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const surfnet = startSurfnet();
  const client = new RuntimeClient(surfnet.rpcUrl);
  const gate = new AccessGate();
  const clusterRestLamports = BigInt(Math.round(options.clusterRestSol ?? 390_000_000)) * LAMPORTS_PER_SOL;
  const startEpoch = options.startEpoch ?? 800;
  const boundary = new EpochBoundary(surfnet, client, {
    clusterRestLamports,
    rewardPpb: BigInt(options.rewardPpb ?? 354_000),
    tipPpb: BigInt(options.tipPpb ?? 20_000),
  });
  const engine = new EpochEngine(surfnet, gate, boundary, {
    slotMs: options.slotMs ?? 400,
    epochSeconds: options.epochSeconds ?? 300,
    startEpoch,
    epochRewardsBlocks: options.epochRewardsBlocks ?? 3,
  });
  const writeRent = (lamportsPerByte: bigint): void =>
    surfnet.setAccount(RENT_SYSVAR, 1, [...encodeRent(lamportsPerByte)], SYSVAR_OWNER);

  let gateway: Gateway | undefined;
  const close = async (): Promise<void> => {
    await engine.close();
    await gateway?.close();
    client.close();
    surfnet.stop();
  };
  try {
    const faucet = sandboxKey('faucet');
    surfnet.setAccount(faucet.address, FAUCET_LAMPORTS, [], SYSTEM_PROGRAM);
    surfnet.setAccount(sandboxKey('identity').address, IDENTITY_LAMPORTS, [], SYSTEM_PROGRAM);
    writeRent(BigInt(options.rentLamportsPerByte ?? 5_080));
    boundary.begin(startEpoch);
    engine.produceBlock();
    await createVoteAccounts(surfnet, client, engine);
    await boundary.refreshVoteAccounts();
    const genesisHash = (await client.call('getGenesisHash')) as string;

    const send = async (wallet: string, lamports: bigint): Promise<string> => {
      if (decodeAddress(wallet) === null) throw new TypeError('The wallet is not a base58 address.');
      if (lamports < 1n || lamports > MAX_AIRDROP_LAMPORTS)
        throw new RangeError('An airdrop is 1 lamport to 1,000,000 SOL.');
      const leave = await gate.enter();
      try {
        return await sendSigned(client, [faucet], [transferInstruction(faucet.address, wallet, lamports)]);
      } finally {
        leave();
      }
    };
    let sandbox: Sandbox | undefined;
    const identity = sandboxKey('identity').address;
    const opened = await Gateway.open({
      host: options.host ?? '127.0.0.1',
      rpcPort: options.rpcPort ?? 0,
      client,
      gate,
      timeline: engine.timeline,
      answers: rpcAnswers({
        client,
        engine,
        boundary,
        identity,
        peers: [
          {
            identity: sandboxKey('other identity').address,
            voteAccount: sandboxKey('other vote').address,
            stakeLamports: clusterRestLamports,
          },
        ],
        urls: () => ({ rpc: opened.rpcUrl, pubsub: opened.wsUrl }),
        airdrop: send,
      }),
      control: controlHandler(() => {
        if (sandbox === undefined) throw new Error('The sandbox is still starting.');
        return sandbox;
      }),
      runtimeWsUrl: surfnet.wsUrl,
    });
    gateway = opened;
    const facts = {
      rpcUrl: opened.rpcUrl,
      wsUrl: opened.wsUrl,
      controlUrl: `${opened.rpcUrl}/control`,
      genesisHash,
      voteAccount: sandboxKey('vote').address,
      identity,
      otherVoteAccount: sandboxKey('other vote').address,
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
      holdEpochRewards: (hold) => engine.holdEpochRewards(hold),
      setRent: (lamportsPerByte) => gate.exclusive(() => writeRent(lamportsPerByte)),
      setAccount: ({ address, lamports, data, owner }) =>
        gate.exclusive(() => surfnet.setAccount(address, Number(lamports), [...data], owner)),
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
