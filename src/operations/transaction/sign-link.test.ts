// Tests that a service accepts only its own links: no altered links, and none with a different secret, cluster
// or validator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIGN_LINK_SECONDS, type SignRequest } from '../../domain/sign-request.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { createSignLinks } from './sign-link.ts';

const WALLET = 'Vote111111111111111111111111111111111111111';
const HOME = {
  genesisHash: 'Stake11111111111111111111111111111111111111',
  voteAccount: 'SysvarC1ock11111111111111111111111111111111',
};
const secretOf = (byte: number) => SecretBytes.take(new Uint8Array(32).fill(byte));
const NOW_MS = 1_800_000_000_500;
const request: SignRequest = { kind: 'stake', walletAddress: WALLET, amountLamports: 5_000_000_000n };

const links = createSignLinks(secretOf(1), HOME);
const textOf = (made: { readonly path: string } | null): string =>
  new URLSearchParams(made!.path.split('?')[1]).get('request')!;
const link = textOf(links.create(request, 'key', NOW_MS));

test('a link is read back unchanged and contains its expiry', () => {
  const { path, expiresAtMs } = links.create(request, 'key', NOW_MS)!;
  assert.match(path, /^\/sign\?request=[\w-]+\.[\w-]{22}$/);
  assert.equal(expiresAtMs, (1_800_000_000 + SIGN_LINK_SECONDS) * 1000);
  assert.deepEqual(links.read(link), {
    ...request,
    ...HOME,
    idempotencyKey: 'key',
    expiresAtSeconds: 1_800_000_000 + SIGN_LINK_SECONDS,
  });
  assert.deepEqual(createSignLinks(secretOf(1), HOME).read(link), links.read(link), 'by every replica');
});

test('a link with any changed character is refused', () => {
  for (let at = 0; at < link.length; at += 1) {
    const altered = `${link.slice(0, at)}${link[at] === 'A' ? 'B' : 'A'}${link.slice(at + 1)}`;
    assert.equal(links.read(altered), null, `character ${at}`);
  }
  // Four bits of the last character are in none of its bytes.
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    if (!link.endsWith(last)) assert.equal(links.read(link.slice(0, -1) + last), null, last);
  for (const text of ['', '.', link.split('.')[0]!, `${link}.`, `${link}.x`, `.${link}`, link.slice(1)])
    assert.equal(links.read(text), null, text);
});

test('a link with a different secret, cluster or validator is refused', () => {
  for (const other of [
    createSignLinks(secretOf(2), HOME),
    createSignLinks(secretOf(1), { ...HOME, genesisHash: WALLET }),
    createSignLinks(secretOf(1), { ...HOME, voteAccount: WALLET }),
  ])
    assert.equal(links.read(textOf(other.create(request, 'key', NOW_MS))), null);
});

test('a request that names more than 20 accounts gets no link', () => {
  const naming = (count: number) =>
    links.create(
      {
        kind: 'rearrange',
        walletAddress: WALLET,
        change: { goal: 'tidy', accounts: Array(count).fill(WALLET) },
      },
      'key',
      NOW_MS,
    );
  assert.equal(naming(21), null);
  const { length } = naming(20)!.path;
  assert.ok(length <= 1_600, `${length} characters`);
});
