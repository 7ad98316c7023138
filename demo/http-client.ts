// A client such as a third party would write: it uses `fetch` and JSON, and no code from this project.
import { type Send, sendOnce } from './send-with-rate-limit.ts';

/** Thrown for a response with a status other than 2xx. Contains the body that explains it. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(`${status} ${String(body.error)}: ${String(body.message)}`);
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
  }

  get errorCode(): unknown {
    return this.body.errorCode;
  }
}

export const createHttpClient = (baseUrl: string, send: Send = sendOnce) => {
  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  ): Promise<any> => {
    const response = await send(new URL(path, baseUrl), {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const members = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Refusal(response.status, members);
    return members;
  };
  return {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, undefined, headers),
    /** Requests a response that is not JSON and returns it as text. */
    text: async (path: string): Promise<string> => {
      const response = await send(new URL(path, baseUrl), {});
      if (!response.ok)
        throw new Refusal(response.status, (await response.json()) as Record<string, unknown>);
      return response.text();
    },
    post: (path: string, body?: object, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
  };
};

export type HttpClient = ReturnType<typeof createHttpClient>;
