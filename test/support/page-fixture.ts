// A service with its own sandbox for tests of the page: epochs end on demand, blocks are fast, and the rate
// limit is too high to matter.

import { join } from 'node:path';
import { buildPage } from '../../scripts/build-page.ts';
import { readBuiltPage } from '../../src/compose/open-page.ts';
import { startService, type TestService } from './service-fixture.ts';
import type { Scope } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Starts one service for all tests of a file. `hooks` are those of `node:test`. With `skip`, nothing is
 * started.
 */
export const sharedPageService = (
  hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  {
    skip = false,
    settings = {},
  }: { skip?: boolean | string; settings?: Readonly<Record<string, string>> } = {},
): (() => TestService) => {
  const cleanUps: (() => unknown)[] = [];
  let service: TestService | undefined;
  hooks.before(async () => {
    if (skip !== false) return;
    // Builds the page first, because a service that builds it while other tests run would be slow.
    await buildPage(root);
    const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    service = await startService(scope, {
      HOLDFAST_SANDBOX_EPOCH_SECONDS: '0',
      HOLDFAST_SANDBOX_SLOT_MS: '50',
      HOLDFAST_RATE_LIMIT: '1000000',
      ...settings,
    });
  });
  hooks.after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return () => {
    if (service === undefined) throw new Error('the service is not running yet');
    return service;
  };
};

/** Returns the page's files as built. */
export const builtPage = () => readBuiltPage(root);
