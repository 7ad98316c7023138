// Tests that the validator's icon is a generated pattern until a picture has been fetched, and that only small
// pictures from allowed addresses replace it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { patternOf } from '../http/pages/validator-icon-target.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { recognizePicture } from '../upstream/profile/picture.ts';
import { isPublicWeb, openIcon } from './open-validator-icon.ts';

const VOTE = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);

const serve = async (t: TestContext, answer: { status?: number; body: Buffer | string }) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(answer.status ?? 200, { 'content-type': 'image/png', location: '/elsewhere' });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/icon.png`;
  return { url, asked: () => asked };
};

const open = (t: TestContext, url: string | null, options: { anywhere?: boolean } = {}) => {
  const clock = createManualClock();
  const icon = openIcon({
    voteAccount: VOTE,
    findUrl: async () => url,
    clock,
    logger: createLogger('silent'),
    ...(options.anywhere === false ? {} : { mayReach: () => true }),
  });
  t.after(() => icon.close());
  return { icon, clock };
};

it('a picture is served once it has been fetched, and is not fetched again for hours', async (t) => {
  const server = await serve(t, { body: PNG });
  const { icon, clock } = open(t, server.url);
  assert.deepEqual(icon.current(), patternOf(VOTE));
  await icon.settled();
  assert.deepEqual(icon.current(), { contentType: 'image/png', bytes: PNG });
  await clock.advance(5 * 3_600_000);
  icon.current();
  await icon.settled();
  assert.equal(server.asked(), 1);
  await clock.advance(2 * 3_600_000);
  icon.current();
  await icon.settled();
  assert.equal(server.asked(), 2);
});

it('a clock that is set back does not keep a picture cached for longer', async (t) => {
  const server = await serve(t, { body: PNG });
  const { icon, clock } = open(t, server.url);
  icon.current();
  await icon.settled();
  clock.advance(-7 * 86_400_000);
  icon.current();
  clock.advance(6 * 3_600_000);
  icon.current();
  await icon.settled();
  assert.equal(server.asked(), 2);
});

it('only a small picture is served, whatever content type it claims', async (t) => {
  for (const answer of [
    { body: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' },
    { body: '<html>' },
    { body: Buffer.concat([PNG, Buffer.alloc(256 * 1024)]) },
    { status: 302, body: PNG },
    { status: 500, body: PNG },
  ]) {
    const server = await serve(t, answer);
    const { icon } = open(t, server.url);
    icon.current();
    await icon.settled();
    assert.equal(server.asked(), 1);
    assert.deepEqual(icon.current(), patternOf(VOTE));
  }
});

it('addresses of this machine and its network are not requested', async (t) => {
  const server = await serve(t, { body: PNG });
  const { icon } = open(t, server.url, { anywhere: false });
  icon.current();
  await icon.settled();
  assert.equal(server.asked(), 0);
  assert.deepEqual(icon.current(), patternOf(VOTE));
});

it('only public addresses over HTTPS on port 443 may be requested', () => {
  const web = { address: '93.184.215.14', protocol: 'https:', port: 443 };
  assert.equal(isPublicWeb(web), true);
  for (const other of [
    { protocol: 'http:', port: 80 },
    { port: 8443 },
    { address: '127.0.0.1' },
    { address: '10.0.0.1' },
    { address: '169.254.169.254' },
    { address: '::1' },
    { address: 'fd00::1' },
  ])
    assert.equal(isPublicWeb({ ...web, ...other }), false, JSON.stringify(other));
});

it('the pattern is served if there is no picture, and requests trigger no fetch', async (t) => {
  const { icon } = open(t, null);
  for (let times = 0; times < 3; times += 1) icon.current();
  await icon.settled();
  assert.deepEqual(icon.current(), patternOf(VOTE));
});

it('a pattern depends on its address and contains only numbers', () => {
  assert.deepEqual(patternOf(VOTE), patternOf(VOTE));
  assert.notDeepEqual(patternOf(VOTE), patternOf(`${VOTE}x`));
  const hostile = patternOf('"><script>alert(1)</script>').bytes.toString();
  assert.match(
    hostile,
    /^<svg xmlns="[^"]+" viewBox="0 0 7 7" shape-rendering="crispEdges">(<path fill="hsl\(\d+ \d+% \d+%\)" d="[MHhvz0-9 -]*"\/>){2}<\/svg>$/,
  );
});

it('image types are recognized by their first bytes', () => {
  const of = (hex: string) => recognizePicture(Buffer.from(hex, 'hex'))?.contentType ?? null;
  assert.equal(of('89504e470d0a1a0a00'), 'image/png');
  assert.equal(of('ffd8ffe0'), 'image/jpeg');
  assert.equal(of('474946383961'), 'image/gif');
  assert.equal(of('524946460000000057454250'), 'image/webp');
  assert.equal(of('524946460000000057415645'), null);
  assert.equal(of('3c737667'), null);
  assert.equal(of(''), null);
});
