// One stream of the HTTP+SSE transport, with its calls in progress and their secret keys, which are always
// wiped when the stream ends.
import type { ServerResponse } from 'node:http';
import type { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import type { Clock } from '../../kernel/clock.ts';
import type { SecretBytes } from '../../kernel/secret-bytes.ts';
import type { McpCaller } from '../mcp-server.ts';

/** Maximum number of calls in progress on one stream. */
const MAX_UNDER_WAY = 32;
/** Number of unread output bytes above which a client is disconnected. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

type MessageId = string | number;
type Message = Parameters<SSEServerTransport['handleMessage']>[0];

const idOf = (value: unknown): MessageId | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null;

/** A stream and its calls. */
export class SseSession implements McpCaller {
  readonly client: string;
  readonly updates = 'session';
  readonly #transport: SSEServerTransport;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #underWay = new Map<MessageId, SecretBytes | null | undefined>();
  #lastUsedMs: number;
  #draining = false;

  constructor(client: string, transport: SSEServerTransport, response: ServerResponse, clock: Clock) {
    this.client = client;
    this.#transport = transport;
    this.#response = response;
    this.#clock = clock;
    this.#lastUsedMs = clock.now();
  }

  get full(): boolean {
    return this.#underWay.size >= MAX_UNDER_WAY;
  }

  /**
   * True once the stream has ended or was disconnected. A client that does not read may still keep the
   * connection open.
   */
  get over(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Time at which the session became idle, in ms since the Unix epoch; null while a call is in progress. */
  get idleSinceMs(): number | null {
    return this.#underWay.size === 0 ? this.#lastUsedMs : null;
  }

  /** Makes each call end when its response is sent. Must be called once the transport is connected. */
  watch(): void {
    const send = this.#transport.send.bind(this.#transport);
    this.#transport.send = async (message, options) => {
      // Writing to an ended stream would crash the process.
      if (!this.over) await send(message, options);
      if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
      const id = 'id' in message && !('method' in message) ? idOf(message.id) : null;
      if (id !== null) this.#release(id);
    };
  }

  /**
   * Passes a message to the server. Returns false if the message is invalid or has the id of a call in
   * progress. Otherwise, the session owns the secret.
   */
  async take(
    message: Readonly<Record<string, unknown>> | null,
    secret: SecretBytes | null | undefined,
  ): Promise<boolean> {
    const id = idOf(message?.id);
    const isRequest = id !== null && typeof message?.method === 'string';
    if (message === null || (isRequest && this.#underWay.has(id))) return false;
    this.#lastUsedMs = this.#clock.now();
    if (isRequest) this.#underWay.set(id, secret);
    else secret?.[Symbol.dispose]();
    try {
      // Resolves once the message has been checked and queued.
      await this.#transport.handleMessage(message as Message);
      return true;
    } catch {
      if (isRequest) this.#release(id);
      return false;
    }
  }

  secretOf(id: MessageId): SecretBytes | null | undefined {
    return this.#underWay.get(id);
  }

  ended(id: MessageId): void {
    this.#underWay.get(id)?.[Symbol.dispose]();
    // The response is sent within this event-loop turn. A canceled call has no response.
    setImmediate(() => this.#release(id));
  }

  #release(id: MessageId): void {
    if (!this.#underWay.has(id)) return;
    this.#underWay.get(id)?.[Symbol.dispose]();
    this.#underWay.delete(id);
    this.#lastUsedMs = this.#clock.now();
    if (this.#draining && this.#underWay.size === 0) this.end();
  }

  keepAlive(): void {
    if (!this.over) this.#response.write(': still here\n\n');
  }

  /** Ends the stream. A second call disconnects a client that has not read the stream to its end. */
  end(): void {
    if (this.#response.writableEnded) this.#response.destroy();
    else this.#response.end();
  }

  /** Ends the stream once no call is in progress. */
  drain(): void {
    this.#draining = true;
    if (this.#underWay.size === 0) this.end();
  }

  /** Wipes all keys and forgets all calls. */
  close(): void {
    for (const secret of this.#underWay.values()) secret?.[Symbol.dispose]();
    this.#underWay.clear();
  }
}
