// A service that builds a lie's transactions, runs every signed one on the chain, and responds with something
// else.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { signatureOf } from '../../client/staking/wire-signatures.ts';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { MEMO_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import type { LyingServiceChain, UserRequest } from './lying-service-chain.ts';
import type { Scope } from './temporary-folder.ts';

export const MEMO = 'stake.example';
const GENESIS = encodeBase58(new Uint8Array(32).fill(9));

/** Instructions of one transaction, to which the service adds its memo. */
export type Instructions = readonly (MachineOperation | Instruction)[];

/** One way to lie. */
export interface Strategy {
  readonly name: string;
  /** The user's request, or a function if it names an account that must be planted first. */
  readonly asks: UserRequest | ((world: LyingServiceChain) => UserRequest);
  /** Returns the transactions of each build, in order. */
  readonly builds: (
    world: LyingServiceChain,
    request: UserRequest,
  ) => (attempt: number) => readonly Instructions[];
  /**
   * The reported result of a transaction that just landed. Default: `confirmed`. `lost`: the response never
   * arrives. `changed`: the accounts changed, so the transaction was not sent.
   */
  readonly says?: 'confirmed' | 'expired' | 'failed' | 'lost' | 'changed';
  /** Number of times that the user sends the request with the same key. Default: 1. */
  readonly times?: number;
  /** The service's description of itself. Default: the one that the client saved. */
  readonly identity?: (world: LyingServiceChain) => object;
  /** Fee in the header of the version 1 transactions to build. Default: legacy transactions. */
  readonly headerFeeLamports?: bigint;
  /** Fields added to every response. */
  readonly texts?: object;
}

/** The current lie. */
export interface Told {
  readonly strategy: Strategy;
  readonly world: LyingServiceChain;
  readonly request: UserRequest;
}

/** The limits that this service writes into headers. */
export const HEADER_LIMITS = { computeUnitLimit: 200_000, loadedAccountsDataBytes: 1_000_000 };

const emptyMessage = (headerFeeLamports: bigint | undefined) =>
  headerFeeLamports === undefined
    ? createTransactionMessage({ version: 'legacy' })
    : (setTransactionMessageConfig(
        {
          priorityFeeLamports: headerFeeLamports,
          computeUnitLimit: HEADER_LIMITS.computeUnitLimit,
          loadedAccountsDataSizeLimit: HEADER_LIMITS.loadedAccountsDataBytes,
        },
        createTransactionMessage({ version: 1 }),
      ) as never);

const wireOf = (
  instructions: Instructions,
  wallet: Address,
  { headerFeeLamports }: Pick<Strategy, 'headerFeeLamports'>,
): string => {
  const memo = getAddMemoInstruction({ memo: MEMO }, { programAddress: MEMO_PROGRAM as never });
  const message = pipe(
    emptyMessage(headerFeeLamports),
    (empty) => setTransactionMessageFeePayer(wallet, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: encodeBase58(randomBytes(32)) as Blockhash, lastValidBlockHeight: 0n },
        paid,
      ),
    (timed) =>
      appendTransactionMessageInstructions(
        [...instructions.map((one) => ('type' in one ? instructionOf(one) : one)), memo],
        timed,
      ),
  );
  return Buffer.from(getTransactionEncoder().encode(compileTransaction(message))).toString('base64');
};

const refusal = (status: number, errorCode: string) => ({
  status,
  body: { error: 'Refused', errorCode, message: 'It is so.' },
});

/** Starts the service. `tell` sets the next lie. Closes the service when the scope ends. */
export const startLyingService = async (scope: Scope, voteAccount: string) => {
  let told: Told | null = null;
  let attempts = 0;
  let build: ReturnType<Strategy['builds']> = () => [];
  const landed = new Set<string>();

  const builtFor = ({ world, strategy }: Told) => {
    attempts += 1;
    const now = Date.now();
    const more = {
      lastValidBlockHeight: 1_000 + attempts,
      estimatedExpiresAt: new Date(now + 60_000).toISOString(),
      warnings: [],
      _meta: { timestamp: new Date(now).toISOString() },
      ...strategy.texts,
    };
    return build(attempts).map((one) => ({ transaction: wireOf(one, world.wallet, strategy), ...more }));
  };

  const submit = ({ world, strategy: { says = 'confirmed', texts } }: Told, wire: Uint8Array) => {
    const signature = signatureOf(wire)!;
    // A signature lands only once.
    if (!landed.has(signature) && world.world.runtime.runWire(wire) === null) landed.add(signature);
    switch (says) {
      case 'confirmed':
        return {
          status: 200,
          body: { signature, explorerUrl: 'https://explorer.example/tx', message: 'Confirmed.', ...texts },
        };
      case 'expired':
        return refusal(400, 'BLOCKHASH_EXPIRED');
      case 'failed':
        return refusal(400, 'SUBMISSION_FAILED');
      case 'changed':
        return landed.size > 1 ? refusal(400, 'BLOCKHASH_EXPIRED') : refusal(409, 'STAKE_BALANCE_CHANGED');
      case 'lost':
        return { status: 502, body: { gateway: 'gave up' } };
    }
  };

  const responseTo = (path: string, body: Record<string, unknown>): { status: number; body: object } => {
    if (path.startsWith('/api/v1/verify/code'))
      return {
        status: 200,
        body: {
          identity: {
            genesisHash: GENESIS,
            voteAccount,
            donationAddress: null,
            memo: MEMO,
            ...told?.strategy.identity?.(told.world),
          },
          memoProgram: { expectedMemo: MEMO },
        },
      };
    if (told === null) return refusal(503, 'SERVICE_UNAVAILABLE');
    if (path.startsWith('/api/v1/transaction/submit'))
      return submit(told, Uint8Array.from(Buffer.from(String(body.signedTransaction), 'base64')));
    if (path.startsWith('/api/v1/transaction/'))
      return {
        status: 200,
        body: { state: told.strategy.says === 'failed' ? 'failed' : 'expired', error: null },
      };
    if (path.startsWith('/api/v1/epoch')) return { status: 200, body: { blockHeight: 1_000_000_000 } };
    // The service has no sandbox to offer.
    if (path.startsWith('/api/v1/sandbox')) return refusal(404, 'NOT_FOUND');
    const transactions = builtFor(told);
    const [first] = transactions;
    if (path.startsWith('/api/v1/plan'))
      return { status: 200, body: { ...first, feasible: true, transactions, plan: null } };
    return { status: 200, body: first! };
  };

  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { status, body } = responseTo(incoming.url!, text === '' ? {} : JSON.parse(text));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell: (next: Told): void => {
      told = next;
      attempts = 0;
      landed.clear();
      build = next.strategy.builds(next.world, next.request);
    },
    /** Returns the number of signatures that have landed since the last `tell`. */
    landed: () => landed.size,
    builds: () => attempts,
  };
};

export type LyingService = Awaited<ReturnType<typeof startLyingService>>;
