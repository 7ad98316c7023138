// Calls the operator console of a running service with the token from its file.
import { readFileSync } from 'node:fs';
import type { ServiceHere, TestService } from './service-fixture.ts';

/** A response whose JSON is returned unchecked. */
interface ConsoleResponse extends Response {
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly json: () => Promise<any>;
}

interface ConsoleClient {
  readonly url: string;
  readonly tokenPath: string;
  readonly token: () => string;
  /** Resolves with a response of any status. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<ConsoleResponse>;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
  readonly get: (path: string) => Promise<any>;
}

export const operatorConsoleAt = ({ url, tokenPath }: { url: string; tokenPath: string }): ConsoleClient => {
  const token = (): string => readFileSync(tokenPath, 'utf8').trim();
  const call = (path: string, init: RequestInit = {}): Promise<ConsoleResponse> =>
    fetch(`${url}/api/v1/operator/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token()}`, ...init.headers },
    });
  return {
    url,
    tokenPath,
    token,
    fetch: call,
    get: async (path) => {
      const response = await call(path);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    },
  };
};

/** Calls the console of a running service. Its URL comes from the app or from the output of its process. */
export const operatorConsoleOf = async (service: TestService | ServiceHere): Promise<ConsoleClient> => {
  if ('app' in service) return operatorConsoleAt(service.app.operatorConsole!);
  const [, url, tokenPath] = await service.process.output(/Operator\s+(\S+)\/\s+\(token in (.+)\)/);
  return operatorConsoleAt({ url: url!, tokenPath: tokenPath! });
};
