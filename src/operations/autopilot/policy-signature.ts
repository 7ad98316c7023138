// Verifies that a wallet authorized a policy: checks its ed25519 signature of the canonical text before
// anything is read or written.

import type { Address } from '@solana/kit';
import { z } from 'zod';
import { isSignedBy } from '../../chain/transactions/wire-transaction.ts';
import type { PolicyScope } from '../../domain/autopilot/policy-text.ts';
import { AppError } from '../../kernel/app-error.ts';
import { decodeBase58Bytes } from '../../kernel/base58.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import type { Context } from '../context.ts';
import { signatureSchema } from '../shared-schemas.ts';

export const signedMembers = {
  nonce: z
    .int()
    .min(1)
    .meta({
      description:
        'Greater than every nonce this wallet has used, whether to set or to delete. Milliseconds since the Unix epoch work.',
      override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    }),
  signature: signatureSchema(
    "The wallet's ed25519 signature (base58) of the canonical text, as created by signMessage. Without it, the refusal contains the text to sign.",
  ).optional(),
};

/** Returns the service and the cluster for which signatures are valid. */
export const policyScope = (ctx: Context): PolicyScope => ({
  prefix: ctx.service.settings.autopilotPrefix,
  genesisHash: ctx.chain.cluster.genesisHash,
  serviceOrigin: new URL(ctx.service.publicUrl()).origin,
  voteAccount: ctx.service.settings.voteAccount,
});

/**
 * Returns the signature if it is valid. Otherwise throws `AppError('INVALID_SIGNATURE')`, whose body contains the
 * text to sign.
 */
export const requirePolicySignature = (wallet: Address, text: string, signature = ''): string => {
  const bytes = new Uint8Array(64);
  const isWhole = decodeBase58Bytes(Buffer.from(signature), 0, signature.length, bytes) === bytes.length;
  if (isWhole && isSignedBy(wallet, Buffer.from(text), bytes)) return signature;
  throw new AppError(
    'INVALID_SIGNATURE',
    'The request has no valid signature by {wallet} of the text for it.',
    {
      params: { wallet },
      suggestedAction:
        'Sign the UTF-8 bytes of textToSign (no newline at the end) with the wallet, and send the signature in base58.',
      body: { textToSign: text },
    },
  );
};

/** Creates the error for a nonce that is not greater than the wallet's last one. */
export const staleNonce = (nonce: number): AppError =>
  new AppError('STALE_NONCE', 'This wallet has already used nonce {lastNonce}; nothing was changed.', {
    params: { lastNonce: nonce },
    suggestedAction: 'Sign again with a nonce greater than {lastNonce}.',
    body: { lastNonce: nonce },
  });

/** Creates the error for a wallet without a policy. `lastNonce` is set if it had a policy before. */
export const noPolicy = (lastNonce: number | null): AppError =>
  new AppError('NOT_FOUND', 'This wallet has no staking policy here.', {
    reason: 'NO_POLICY',
    suggestedAction: guidance`Set one with ${step('setStakingPolicy')}.`,
    ...(lastNonce === null ? {} : { body: { lastNonce } }),
  });
