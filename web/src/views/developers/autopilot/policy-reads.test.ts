// Tests that a policy is sent exact to the lamport, and that the returned secret is stored for the delivery
// log.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { beforeEach, it } from 'node:test';
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { pageOrigin, respondWith } from '../../../../../test/support/page-origin.ts';
import type { PolicyToSet } from './policy-request.ts';

const walletAddress = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
const asked: { how: string; body: string }[] = [];
let answer: object = {};
let status = 200;
respondWith(async (request, response) => {
  asked.push({ how: `${request.method} ${request.url}`, body: await text(request) });
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
Object.assign(globalThis, {
  document: Object.assign(new EventTarget(), { hidden: false, querySelectorAll: () => [] }),
  location: { origin: pageOrigin },
});
const { policyDeps } = await import('./policy-reads.ts');
const { heldSecrets } = await import('../webhooks/webhook-secrets.ts');

const request: PolicyToSet = {
  kind: 'set',
  walletAddress,
  // A double would round this to 100,000,000 SOL.
  keepLiquidLamports: 99_999_999_999_999_999n,
  minSweepLamports: 1n,
  callbackUrl: 'https://example.com/hook',
  paused: false,
};

beforeEach(() => {
  asked.length = 0;
  answer = {};
  status = 200;
  heldSecrets.set({ byId: {}, isStored: false });
});

it('a policy is sent with amounts exact to the lamport, and the secret of a new one is stored and returned', async () => {
  answer = { secret: 'whsec_1', webhookId: 'hook-1' };
  assert.deepEqual(await policyDeps.send(request, 5, 'signature'), { id: 'hook-1', secret: 'whsec_1' });
  assert.deepEqual(heldSecrets.get().byId, { 'hook-1': 'whsec_1' });
  const [{ how, body }] = asked as [{ how: string; body: string }];
  assert.equal(how, 'POST /api/v1/autopilot/policy');
  assert.match(body, /"keepLiquidSol":"?99999999\.999999999\b/);
  assert.match(body, /"minSweepSol":"?0\.000000001\b/);
  const { callbackUrl, paused, nonce, signature } = JSON.parse(body);
  assert.deepEqual(
    [callbackUrl, paused, nonce, signature],
    ['https://example.com/hook', false, 5, 'signature'],
  );
});

it('changing a policy returns no new secret, and the stored one stays', async () => {
  heldSecrets.set({ byId: { 'hook-1': 'whsec_1' }, isStored: false });
  answer = { webhookId: 'hook-1' };
  assert.equal(await policyDeps.send({ ...request, paused: true }, 6, 'signature'), null);
  assert.deepEqual(heldSecrets.get().byId, { 'hook-1': 'whsec_1' });
  assert.equal(JSON.parse(asked[0]!.body).paused, true);
});

it('a deletion contains the wallet, the nonce and the signature, and returns no secret', async () => {
  assert.equal(await policyDeps.send({ kind: 'delete', walletAddress }, 7, 'signature'), null);
  const { how, body } = asked[0]!;
  assert.match(how, new RegExp(`^DELETE /api/v1/autopilot/policy/${walletAddress}`));
  for (const part of ['7', 'signature']) assert.ok(`${how} ${body}`.includes(part), part);
});

it('a refusal is passed on with the fields that contain the text to sign, and no secret is stored', async () => {
  status = 400;
  answer = {
    error: 'No',
    errorCode: 'INVALID_SIGNATURE',
    message: 'No.',
    textToSign: 'sign me',
    secret: 'x',
  };
  await assert.rejects(
    policyDeps.send(request, 8, 'signature'),
    (error) => isHoldfastError(error, 'INVALID_SIGNATURE') && error.body?.textToSign === 'sign me',
  );
  assert.deepEqual(heldSecrets.get().byId, {});
});
