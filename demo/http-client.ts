// A client as an outsider would write it: `fetch`, JSON, and no code of this project.
import { type Send, sendOnce } from './patient-send.ts';

/** A response with a status other than 2xx, and the body that explains it. */
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

/** Creates a client of one service. */
export const createHttpClient = (baseUrl: string, send: Send = sendOnce) => {
  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: an outsider sees JSON.
  ): Promise<any> => {
    const answer = await send(new URL(path, baseUrl), {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const members = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Refusal(answer.status, members);
    return members;
  };
  return {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, undefined, headers),
    /** Returns a response that is not JSON as text. */
    text: async (path: string): Promise<string> => {
      const answer = await send(new URL(path, baseUrl), {});
      if (!answer.ok) throw new Refusal(answer.status, (await answer.json()) as Record<string, unknown>);
      return answer.text();
    },
    post: (path: string, body?: object, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
  };
};

/** A client of one service. */
export type HttpClient = ReturnType<typeof createHttpClient>;
