// Requests JSON from one provider: limits time and bytes, follows no redirects, accepts no compression, and
// never reveals the provider's URL.
import { Pool } from 'undici';
import { basicCredentials } from '../kernel/network/basic-credentials.ts';
import { failureOf, ProviderFailure } from './provider-failure.ts';

/** One request. */
export interface ProviderRequest {
  /** Path below the base URL, with a leading slash. */
  readonly path: string;
  /** Body of a POST request. Without a body, the request is a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Maximum size of the response. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 4;
const MAX_CONNECT_MS = 5_000;

export class ProviderHttp {
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #baseQuery: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;

  /**
   * `url` is the base of the API. Its query and user info (keys) are sent with every request. `timeoutMs`
   * limits the whole response.
   */
  constructor(url: string, timeoutMs: number) {
    const base = new URL(url);
    const { origin, pathname, search } = base;
    this.#basePath = pathname.replace(/\/+$/, '');
    this.#baseQuery = search;
    this.#timeoutMs = timeoutMs;
    // No compression, because a few hundred bytes of brotli can decompress to gigabytes.
    const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' };
    const authorization = basicCredentials(base);
    if (authorization !== undefined) headers.authorization = authorization;
    this.#headers = headers;
    this.#pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: Math.min(timeoutMs, MAX_CONNECT_MS) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /**
   * Returns the text of a 200 response. Throws `ProviderFailure` if there is none. Ignores the content type,
   * because providers mislabel JSON and anything else fails to parse.
   */
  async getText({ path, body, maxBytes, signal }: ProviderRequest): Promise<string> {
    if (signal.aborted) throw new ProviderFailure('closed');
    const attempt = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      attempt.abort();
    }, this.#timeoutMs);
    const giveUp = () => attempt.abort();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.#ask(path, body, maxBytes, attempt.signal);
    } catch (error) {
      if (signal.aborted) throw new ProviderFailure('closed');
      throw timedOut ? new ProviderFailure('timeout') : failureOf(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      // Aborts the rest of a refused response.
      attempt.abort();
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #ask(
    path: string,
    sent: ProviderRequest['body'],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<string> {
    const { statusCode, headers, body } = await this.#pool.request({
      path: `${this.#basePath}${path}${this.#baseQuery}`,
      ...(sent === undefined
        ? { method: 'GET', headers: this.#headers }
        : {
            method: 'POST',
            headers: { ...this.#headers, 'content-type': 'application/json' },
            body: JSON.stringify(sent),
          }),
      signal,
    });
    // Aborting an unread body emits an error that would otherwise be unhandled.
    body.on('error', () => {});
    if (statusCode === 429) throw new ProviderFailure('rate-limited');
    if (statusCode === 404) throw new ProviderFailure('not-found');
    if (statusCode !== 200) throw new ProviderFailure('http-error');
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') throw new ProviderFailure('garbage');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ProviderFailure('too-large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }
}
