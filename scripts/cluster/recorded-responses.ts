// Sends the recorded calls to a node over HTTP and WebSocket and returns its responses, including numbers
// beyond 2^53.
import type { Signature } from '@solana/kit';
import { parseRpcJson } from '../../src/chain/rpc/rpc-response.ts';
import type { ChainActor } from './chain-actor.ts';
import {
  prepareChain,
  type RecordedCall,
  type RecordedChain,
  readingCalls,
  sendingCalls,
} from './recorded-calls.ts';

/** A call with its full response without the id. For a subscription, also the first notification. */
export interface RecordedResponse extends RecordedCall {
  readonly status: number;
  readonly answer: unknown;
  readonly notification?: unknown;
}

const ANSWERED_WITHIN_MS = 30_000;
const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';

const withoutId = (text: string): unknown => {
  const { id: _id, ...answer } = parseRpcJson(text) as Record<string, unknown>;
  return answer;
};

const ask = async (url: string, call: RecordedCall): Promise<RecordedResponse> => {
  const { method, params } = call;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  return { ...call, status: response.status, answer: withoutId(await response.text()) };
};

const askAll = async (actor: ChainActor, asked: readonly RecordedCall[]): Promise<RecordedResponse[]> => {
  const answers: RecordedResponse[] = [];
  for (const call of asked) {
    const answered = await ask(actor.rpcUrl, call);
    answers.push(answered);
    if (call.method !== 'sendTransaction' || call.name !== 'succeeds') continue;
    await actor.landed((answered.answer as { result: Signature }).result);
  }
  return answers;
};

/** Messages received on one socket, in order. Response ids equal those of the requests. */
class Messages {
  readonly #socket: WebSocket;
  readonly #received: Record<string, unknown>[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.#received.push(parseRpcJson(String(data)) as Record<string, unknown>);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
  }

  static async open(url: string): Promise<Messages> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new Messages(socket);
  }

  send(id: number, { method, params }: RecordedCall): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  async first(fits: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const patience = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => undefined);
    patience.addEventListener('abort', () => late.reject(patience.reason));
    for (;;) {
      const found = this.#received.find(fits);
      if (found) return found;
      await Promise.race([this.#arrived.promise, late.promise]);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

const subscriptionCalls = async (wsUrl: string, chain: RecordedChain): Promise<RecordedResponse[]> => {
  const { actor, voteAccount, legacy, stake } = chain;
  const messages = await Messages.open(wsUrl);
  const answers: RecordedResponse[] = [];
  let id = 0;
  const subscribe = async (method: string, name: string, ...params: readonly unknown[]) => {
    id += 1;
    const own = id;
    const call = { method, name, params };
    messages.send(own, call);
    const { id: _id, ...answer } = await messages.first((message) => message.id === own);
    const add = (notification?: unknown) =>
      answers.push({ ...call, status: 101, answer, ...(notification ? { notification } : {}) });
    const notified = () =>
      messages.first(({ params: about }) => {
        const { subscription } = (about ?? {}) as { subscription?: unknown };
        return subscription !== undefined && subscription === answer.result;
      });
    return { add, notified };
  };
  const alone = async (...call: Parameters<typeof subscribe>) => (await subscribe(...call)).add();
  try {
    const filters = [
      { dataSize: 200 },
      { memcmp: { offset: 0, bytes: 'AgAAAA==', encoding: 'base64' } },
      { memcmp: { offset: 124, bytes: voteAccount, encoding: 'base58' } },
    ];
    const config = { commitment: 'confirmed', encoding: 'base64', filters };
    const slots = await subscribe('slotSubscribe', 'slots');
    slots.add(await slots.notified());
    const accounts = await subscribe('programSubscribe', 'delegated to us', STAKE_PROGRAM, config);
    const coming = await actor.sign([actor.transfer(stake, 1_000n)]);
    const signature = await subscribe('signatureSubscribe', 'lands', coming.signature, {
      commitment: 'confirmed',
    });
    await actor.ask('sendTransaction', [
      coming.wire,
      { encoding: 'base64', preflightCommitment: 'confirmed' },
    ]);
    accounts.add(await accounts.notified());
    signature.add(await signature.notified());
    const landed = await subscribe('signatureSubscribe', 'landed long ago', legacy, {
      commitment: 'confirmed',
    });
    landed.add(await landed.notified());
    await alone('signatureSubscribe', 'no signature', 'nothing', { commitment: 'confirmed' });
    await alone('programSubscribe', 'no address', 'nobody', config);
    await alone('signatureUnsubscribe', 'a subscription that does not exist', 10 ** 9);
    await alone('somethingSubscribe', 'a method that does not exist');
    return answers;
  } finally {
    messages.close();
  }
};

/** Prepares a chain and records all responses. `frozen` calls `run` while rewards are being distributed. */
export const recordResponses = async (
  options: Parameters<typeof prepareChain>[0] & {
    readonly wsUrl: string;
    readonly frozen?: (chain: RecordedChain, run: () => Promise<void>) => Promise<void>;
  },
): Promise<readonly RecordedResponse[]> => {
  const chain = await prepareChain(options);
  const { actor } = chain;
  const answers = [
    ...(await askAll(actor, await readingCalls(chain))),
    ...(await askAll(actor, await sendingCalls(chain))),
    ...(await subscriptionCalls(options.wsUrl, chain)),
  ];
  await options.frozen?.(chain, async () => {
    const { wire } = await actor.sign([actor.deactivation(chain.stake)]);
    const preflight = {
      encoding: 'base64',
      preflightCommitment: 'processed',
      skipPreflight: false,
      maxRetries: 0,
    };
    answers.push(
      ...(await askAll(actor, [
        {
          method: 'sendTransaction',
          name: 'a stake instruction while rewards are paid',
          params: [wire, preflight],
        },
      ])),
    );
  });
  return answers;
};
