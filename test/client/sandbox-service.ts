// A service with its own sandbox, as started by `npm start`, shared by all tests in a file. Epochs end only
// when a test ends them.
import { createHoldfastClient, type HoldfastClient } from '../../client/holdfast-client.ts';
import { type ServiceHere, startServiceHere } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';

interface SandboxService {
  readonly service: ServiceHere;
  readonly client: HoldfastClient;
}

const SETTINGS = {
  HOLDFAST_SANDBOX_SLOT_MS: '20',
  HOLDFAST_SANDBOX_EPOCH_SECONDS: '0',
  HOLDFAST_RATE_LIMIT: '1000000',
};

/**
 * Starts the service in a `before` hook of `node:test` and stops it in an `after` hook. Other hooks run
 * concurrently and can await `started`.
 */
export const sharedSandboxService = (
  hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  settings: Readonly<Record<string, string>> = {},
): (() => SandboxService) & { readonly started: Promise<void> } => {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const cleanUps: (() => void | Promise<void>)[] = [];
  let shared: SandboxService | undefined;
  hooks.before(async () => {
    const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    const service = await startServiceHere(scope, { ...SETTINGS, ...settings });
    shared = { service, client: createHoldfastClient({ baseUrl: service.url }) };
    resolve();
  });
  hooks.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  const get = (): SandboxService => {
    if (!shared) throw new Error('the service is not running yet');
    return shared;
  };
  return Object.assign(get, { started });
};
