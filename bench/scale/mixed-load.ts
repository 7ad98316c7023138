// Mixed load of the soaks and the scale measurements: callers read, build, stake, unstake, withdraw and make
// calls as agents. A request that moves stake is repeated with its idempotency key until the service settles
// it.
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, fetch } from 'undici';
import { type ErrorCode, errorCodes } from '../../src/kernel/error-codes.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { signedBy, type TestWallet } from '../../test/support/wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

/** A response, with status 0 if none arrived. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export const actKinds = ['stake', 'submit', 'unstake', 'withdraw'] as const;
export type ActKind = (typeof actKinds)[number];

/** A request that moves stake. */
export interface Act {
  readonly kind: ActKind;
  readonly walletAddress: string;
  readonly path: string;
  readonly body: object;
  readonly key: string;
  /**
   * Account that the request creates or changes. The address of a created account is known once the request has
   * been acknowledged.
   */
  stakeAccountAddress: string | null;
  attempts: number;
  outcome: 'open' | 'acknowledged' | 'refused';
  /** Signature if acknowledged, or error code if refused. */
  detail: string | null;
}

/** Options of a load. */
export interface MixedLoadOptions {
  /** Current base URLs of the processes. Each request goes to one of them. */
  readonly urls: () => readonly string[];
  /** Each caller uses its own wallets, so its requests do not conflict with those of others. */
  readonly wallets: readonly TestWallet[];
  /** Paths of GET operations, with their parameters in braces. */
  readonly reads: readonly string[];
  /** A wallet with stake that is only read. */
  readonly populated: string;
  /** Maximum pause between two requests of a caller, in ms. Default: 400. */
  readonly longestPauseMs?: number;
  /** Timeout of a request, in ms. Default: 120,000. */
  readonly timeoutMs?: number;
  /** Dispatcher for the requests. Default: the global dispatcher. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Requests since the last `takeWindow`. */
export interface Window {
  readonly requests: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends a request. Returns status 0 if no response arrives. */
export const callJson = async (
  url: string,
  {
    method = 'POST',
    body,
    headers = {},
    timeoutMs = 120_000,
    dispatcher,
  }: {
    readonly method?: string;
    readonly body?: object;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly dispatcher?: Dispatcher | undefined;
  } = {},
): Promise<Answer> => {
  try {
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher && { dispatcher }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, body: isJson ? JSON.parse(text) : null };
  } catch (error) {
    return { status: 0, body: { errorCode: `no response (${(error as Error).name})` } };
  }
};

/**
 * True for refusals caused by the cluster: stake cannot be changed while rewards are being paid, and a reward
 * may arrive before a transaction.
 */
const isClusters = (body: Json): boolean =>
  ['EPOCH_REWARDS_ACTIVE', 'STAKE_BALANCE_CHANGED'].includes(body?.errorCode);
const isFailure = ({ status, body }: Answer): boolean => (status === 0 || status >= 500) && !isClusters(body);
/**
 * True if the response settles the request. The request stays open after a response of a proxy or a retryable
 * refusal.
 */
const isFinal = ({ status, body }: Answer): boolean => {
  if (status >= 200 && status < 300) return true;
  const code = body?.errorCode as ErrorCode | undefined;
  if (code === 'STAKE_BALANCE_CHANGED') return true;
  return status >= 400 && status < 500 && code !== undefined && errorCodes[code]?.retryable === false;
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const RETRY_PAUSE_MS = 200;

/** The load and its statistics. */
export class MixedLoad {
  readonly acts: Act[] = [];
  /** Number of responses by status and error code. */
  readonly answers = new Map<string, number>();
  /** The first failed requests, for the report. */
  readonly failures: string[] = [];
  requests = 0;
  failed = 0;
  /** Number of requests since the last failure. */
  goodInARow = 0;
  #timesMs: number[] = [];
  #window = { requests: 0, failed: 0 };
  readonly #options: Required<Omit<MixedLoadOptions, 'dispatcher'>> & Pick<MixedLoadOptions, 'dispatcher'>;

  constructor(options: MixedLoadOptions) {
    this.#options = { longestPauseMs: 400, timeoutMs: 120_000, ...options };
  }

  count(kind: ActKind, outcome: Act['outcome'] = 'acknowledged'): number {
    return this.acts.filter((act) => act.kind === kind && act.outcome === outcome).length;
  }

  /** Returns the statistics since the previous call. */
  takeWindow(): Window {
    const sorted = this.#timesMs.sort((a, b) => a - b);
    const window = { ...this.#window, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
    this.#timesMs = [];
    this.#window = { requests: 0, failed: 0 };
    return window;
  }

  /** Runs `callers` callers until `isOver`. A caller completes its pending request before it ends. */
  async run(callers: number, isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: callers }, (_, at) => this.#runCaller(at, callers, isOver)));
  }

  /** Repeats requests without a final response until all have one or until `isOver`. */
  async settle(isOver: () => boolean): Promise<void> {
    const open = this.acts.filter(({ outcome }) => outcome === 'open');
    await Promise.all(open.map((act) => this.#repeat(act, isOver)));
  }

  async #ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer> {
    const urls = this.#options.urls();
    const url = urls[Math.floor(Math.random() * urls.length)]!;
    const startedMs = performance.now();
    const answer = await callJson(url + path, {
      method,
      timeoutMs: this.#options.timeoutMs,
      dispatcher: this.#options.dispatcher,
      ...(body && { body }),
      ...(headers && { headers }),
    });
    this.#timesMs.push(performance.now() - startedMs);
    const hasFailed = isFailure(answer);
    this.requests += 1;
    this.#window.requests += 1;
    this.goodInARow = hasFailed ? 0 : this.goodInARow + 1;
    if (hasFailed) {
      this.failed += 1;
      this.#window.failed += 1;
      if (this.failures.length < 50)
        this.failures.push(
          `${new Date().toISOString()} ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`,
        );
    }
    const { status } = answer;
    const code = status > 0 && status < 400 ? '' : ` ${answer.body?.errorCode ?? ''}`;
    const name = `${status === 0 ? '' : status}${code}`.trim();
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    return answer;
  }

  async #repeat(act: Act, isOver: () => boolean): Promise<void> {
    for (;;) {
      act.attempts += 1;
      const answer = await this.#ask('POST', act.path, act.body, { 'idempotency-key': act.key });
      if (isFinal(answer)) {
        const { status, body } = answer;
        act.outcome = status === 200 ? 'acknowledged' : 'refused';
        act.detail =
          status === 200 ? body.signature : `${status} ${body?.errorCode} ${body?.reason ?? ''}`.trim();
        if (status === 200) act.stakeAccountAddress ??= body.stakeAccountAddress ?? null;
        return;
      }
      if (isOver()) return;
      await delay(RETRY_PAUSE_MS);
    }
  }

  async #runCaller(at: number, callers: number, isOver: () => boolean): Promise<void> {
    const { reads, populated, longestPauseMs } = this.#options;
    const own = this.#options.wallets.filter((_, index) => index % callers === at);
    const random = seededRandom(at);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

    const act = (
      kind: ActKind,
      wallet: TestWallet,
      { path, body, account = null }: { path: string; body: object; account?: string | null },
    ): Promise<void> => {
      const made: Act = {
        kind,
        walletAddress: wallet.walletAddress,
        path,
        body,
        key: `${at}-${this.acts.length}-${Math.floor(random() * 1e9)}`,
        stakeAccountAddress: account,
        attempts: 0,
        outcome: 'open',
        detail: null,
      };
      this.acts.push(made);
      return this.#repeat(made, isOver);
    };

    const read = async (): Promise<void> => {
      const wallet = random() < 0.2 ? populated : pick(own).walletAddress;
      const signature = this.acts.findLast((one) => one.outcome === 'acknowledged')?.detail;
      const path = pick(reads)
        .replaceAll(/\{(walletAddress|address)\}/g, wallet)
        .replace('{signature}', signature ?? '1'.repeat(64))
        .replaceAll(/\{[^}]+\}/g, 'unknown');
      await this.#ask('GET', path);
    };

    const agent = async (): Promise<void> => {
      const params = {
        name: 'check_stake_accounts',
        arguments: { walletAddress: pick(own).walletAddress },
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      await this.#ask('POST', '/mcp', body, { accept: 'application/json, text/event-stream' });
    };

    const change = async (wallet: TestWallet): Promise<void> => {
      const { walletAddress, secretKey } = wallet;
      const chance = random();
      if (chance < 0.3) {
        const amountSol = (150 + Math.floor(random() * 100)) / 100;
        await act('stake', wallet, { path: '/api/v1/stake', body: { walletAddress, secretKey, amountSol } });
        return;
      }
      if (chance < 0.45) {
        const body = { walletAddress, amountSol: 1.5 };
        const built = await this.#ask('POST', '/api/v1/stake/transaction', body);
        if (built.status !== 200) return;
        const signedTransaction = signedBy(wallet, built.body.transaction);
        await act('submit', wallet, {
          path: '/api/v1/transaction/submit',
          body: { signedTransaction },
          account: built.body.stakeAccountAddress,
        });
        return;
      }
      const { status, body } = await this.#ask('GET', `/api/v1/stake/accounts/${walletAddress}`);
      if (status !== 200) return;
      const accounts: { address: string; state: string; withdrawReady?: boolean }[] = body.accounts;
      const ready = accounts.filter(({ withdrawReady }) => withdrawReady === true);
      const active = accounts.filter(({ state }) => state === 'active');
      const [kind, chosen] =
        ready.length > 0 ? (['withdraw', pick(ready)] as const) : (['unstake', pick(active)] as const);
      if (chosen === undefined) return;
      const stakeAccountAddress = chosen.address;
      await act(kind, wallet, {
        path: `/api/v1/${kind}`,
        body: { walletAddress, secretKey, stakeAccountAddress },
        account: stakeAccountAddress,
      });
    };

    while (!isOver()) {
      const chance = random();
      await (chance < 0.65 ? read() : chance < 0.75 ? agent() : change(pick(own)));
      await delay(random() * longestPauseMs);
    }
  }
}
