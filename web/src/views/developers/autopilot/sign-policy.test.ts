// Tests that a request is signed only after its text was checked, and is sent with the signed nonce.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { HoldfastError } from '../../../../../client/holdfast-error.ts';
import { policyText } from '../../../../../src/domain/autopilot/policy-text.ts';
import { isWalletError } from '../../../wallet/wallet-error.ts';
import type { PolicyToSet } from './policy-request.ts';
import { lastNonceOf, type PolicySigningPorts, preparePolicy, signPolicy } from './sign-policy.ts';

const WALLET = '7FfQoJKAJ7ZBwoJCjiqh5P5Rnb1fEaKvyNVAQU38D4iP';
const VOTE = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ';
const request: PolicyToSet = {
  kind: 'set',
  walletAddress: WALLET,
  keepLiquidLamports: 1n,
  minSweepLamports: 2n,
  callbackUrl: 'https://example.com/',
  paused: true,
};
const textFor = (nonce: number, asked = request): string =>
  policyText(
    {
      prefix: 'holdfast-autopilot',
      genesisHash: '3BxDKDGjWcdUtERPdSmzGMD7xviX4okzK5Krv2CA2aPk',
      serviceOrigin: 'https://stake.example',
      voteAccount: VOTE as Address,
    },
    { ...asked, walletAddress: WALLET as Address, nonce },
  );

const refusal = (errorCode: string, body: Record<string, unknown>): HoldfastError =>
  new HoldfastError({ errorCode, message: 'no', operation: 'setStakingPolicy', status: 400, body });

/** Creates a service that accepts requests signed with "right", and refuses all others with `text`. */
const serviceWith = (text: (nonce: number) => string) => {
  const sent: [number, string][] = [];
  const signed: string[] = [];
  const deps: PolicySigningPorts = {
    send: async (_request, nonce, signature) => {
      sent.push([nonce, signature]);
      if (signature !== 'right') throw refusal('INVALID_SIGNATURE', { textToSign: text(nonce) });
      return { id: 'hook', secret: 'whsec_new' };
    },
    voteAccount: async () => VOTE,
    sign: async (asked) => {
      signed.push(asked);
      return 'right';
    },
    now: () => 1_000,
  };
  return { deps, sent, signed };
};

describe('a policy', () => {
  it('is requested, checked, signed and sent, all with one nonce', async () => {
    const { deps, sent, signed } = serviceWith(textFor);
    const prepared = await preparePolicy(deps, request, 4_999);
    assert.deepEqual(prepared, {
      nonce: 5_000,
      text: textFor(5_000),
      serviceOrigin: 'https://stake.example',
    });
    assert.deepEqual(await signPolicy(deps, request, prepared), { id: 'hook', secret: 'whsec_new' });
    assert.deepEqual(signed, [textFor(5_000)]);
    assert.deepEqual(
      sent.map(([nonce, signature]) => [nonce, signature === 'right']),
      [
        [5_000, false],
        [5_000, true],
      ],
    );
  });

  it('is not passed on if the service requests a different text', async () => {
    const { deps } = serviceWith((nonce) =>
      textFor(nonce, { ...request, callbackUrl: 'https://evil.example/' }),
    );
    await assert.rejects(preparePolicy(deps, request, 0), (error) => isWalletError(error, 'changed'));
  });

  it('is not passed on for a validator other than the shown validator', async () => {
    const { deps } = serviceWith(textFor);
    const elsewhere = { ...deps, voteAccount: async () => WALLET };
    await assert.rejects(preparePolicy(elsewhere, request, 0), (error) => isWalletError(error, 'changed'));
  });

  it('other refusals are passed on unchanged, even one without a text', async () => {
    for (const error of [
      refusal('VALIDATION_ERROR', { textToSign: textFor(1_000) }),
      refusal('INVALID_SIGNATURE', {}),
    ]) {
      const { deps } = serviceWith(textFor);
      const refusing = { ...deps, send: () => Promise.reject(error) };
      await assert.rejects(preparePolicy(refusing, request, 0), error);
    }
  });

  it('a service that accepts an unsigned request is treated as faulty, and nothing is signed', async () => {
    const { deps } = serviceWith(textFor);
    await assert.rejects(
      preparePolicy({ ...deps, send: async () => null }, request, 0),
      /accepted an unsigned request/,
    );
  });
});

it('the newest nonce is read from a refusal, and is 0 without one', () => {
  assert.equal(lastNonceOf(refusal('STALE_NONCE', { lastNonce: 9 })), 9);
  assert.equal(lastNonceOf(refusal('NOT_FOUND', {})), 0);
  assert.equal(lastNonceOf(refusal('NOT_FOUND', { lastNonce: '9' })), 0);
  assert.equal(lastNonceOf(new Error('lastNonce')), 0);
});
