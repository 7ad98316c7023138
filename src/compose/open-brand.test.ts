// Tests that the log and the health report mention a broken or changed profile, and a logo URL that does not
// return an image.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createProfileFile, profileWithFields } from '../upstream/profile/operator-profile.ts';
import { openBrand } from './open-brand.ts';

const open = (t: TestContext, profile: Parameters<typeof openBrand>[0]['sources']['profile']) => {
  const lines: string[] = [];
  const brand = openBrand({
    sources: { profile, network: null },
    hasFile: true,
    isSandbox: true,
    voteAccount: 'Vote',
    clock: createManualClock(),
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    mayReach: () => true,
  });
  t.after(() => brand.close());
  return { brand, log: () => lines.join('') };
};

test('a broken profile is reported until it is fixed while the service stays ready, and each change is logged', async (t) => {
  const path = join(temporaryFolder(t), 'profile.json');
  const write = (content: object) => writeFileSync(path, JSON.stringify(content));
  write({ name: 'Aurora', accentColor: { light: '#5b3dc4', dark: '#b3a1ff' } });
  const { brand, log } = open(t, createProfileFile(path));
  await brand.current();
  assert.deepEqual(await brand.health(), {
    ok: true,
    optional: true,
    ageSeconds: 0,
    error: null,
    details: { shown: 'Aurora, no logo, accent #5b3dc4 on light, #b3a1ff on dark' },
  });
  assert.equal(log(), '');
  write({ name: 'Aurora', heroo: 'x', logo: 'gone.png' });
  assert.equal((await brand.current()).page.name, 'Aurora');
  const broken = await brand.health();
  assert.deepEqual([broken?.ok, broken?.optional], [false, true]);
  assert.match(
    broken?.error ?? '',
    /heroo.*; logo: the file does not exist \(.*; still using the last valid profile/,
  );
  assert.match(log(), /"level":40.*heroo.*no longer valid/);
  write({ name: 'Borealis' });
  await brand.current();
  assert.match(log(), /"level":30.*Borealis, no logo, no accent.*was reloaded/);
  assert.equal((await brand.health())?.ok, true);
  assert.equal(log().trim().split('\n').length, 2);
});

test('a logo URL that returns no image is logged and reported until it returns one', async (t) => {
  let body: Buffer | string = '<html>geheim</html>';
  let status = 404;
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const logo = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png?key=geheim`;
  let reading = profileWithFields({ name: 'Aurora', logo });
  const { brand, log } = open(t, { read: async () => reading });
  const toldOnce = async (wanted: string) => {
    for (;;) {
      const { contentType } = await brand.logo();
      const { ok, error } = (await brand.health())!;
      if ((error ?? contentType).startsWith(wanted)) return assert.equal(ok, error === null);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await toldOnce('the logo’s URL responded with status 404');
  status = 200;
  // A changed profile triggers a new fetch immediately, without waiting for the cached picture to expire.
  reading = profileWithFields({ name: 'Borealis', logo });
  await toldOnce('the logo’s URL did not return a PNG, JPEG, GIF or WebP');
  assert.match(
    log(),
    /"level":40.*did not return a PNG, JPEG, GIF or WebP of at most 256 KiB: a pattern is shown/,
  );
  assert.doesNotMatch(log() + JSON.stringify(await brand.health()), /geheim/);
  body = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
  reading = profileWithFields({ name: 'Aurora', logo });
  await toldOnce('image/png');
});
