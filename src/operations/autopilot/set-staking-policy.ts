// Sets a wallet's autopilot policy. The wallet signs the request, and its nonce determines which policy is
// newer. Only the first response contains the secret used to sign deliveries.
import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { policyText } from '../../domain/autopilot/policy-text.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import type { NewRegistration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, sentenceShape, solAmount } from '../shared-schemas.ts';
import { policyBody, policySchema } from './policy-response.ts';
import { policyScope, requirePolicySignature, signedMembers, staleNonce } from './policy-signature.ts';

/**
 * Maximum number of policies per client network. Deleted policies count until 24 hours after their creation.
 */
const MAX_POLICIES_PER_CLIENT = 100;

/** `POST /api/v1/autopilot/policy` */
export const setStakingPolicy = defineOperation({
  name: 'setStakingPolicy',
  summary: 'Set an autopilot policy',
  description:
    'When liquid SOL above `keepLiquidSol` exceeds `minSweepSol`, at most once an epoch, the service delivers an unsigned stake transaction to the callback as autopilot_sweep. Nothing is ever signed for the wallet: verify the transaction, sign and submit it yourself. The wallet authorizes the policy by signing a canonical text of exactly these lines, joined by newlines: "<prefix>-policy:v1", "cluster=<genesis hash>", "service=<origin of this service>", "vote=<vote account>", "wallet=", "`keepLiquidLamports`=", "`minSweepLamports`=", "`callbackUrl`=", "paused=true|false", "nonce=". Without a valid signature, the request is refused and the error contains the text to sign. The first response contains the secret used to sign deliveries (Standard Webhooks); it is not shown again.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet whose SOL is offered for staking; it signs the policy.'),
    keepLiquidSol: solAmount('Amount that stays liquid in the wallet, SOL.', { minSol: 0 }),
    minSweepSol: solAmount(
      'A stake is offered only if the wallet holds more than this above keepLiquidSol, SOL.',
      {
        minSol: 0,
      },
    ),
    callbackUrl: z
      .string()
      .max(2_048)
      .meta({
        description: 'HTTPS URL for offers, as serialized by the WHATWG URL standard.',
        examples: ['https://example.com/holdfast'],
      }),
    paused: z.boolean().default(false).meta({ description: 'A paused policy is saved but makes no offers.' }),
    ...signedMembers,
  }),
  output: policySchema.extend({
    secret: z.string().optional().meta({
      description:
        'Used to sign the deliveries of this policy (whsec_…); only in the response that created it.',
    }),
    ...sentenceShape('message'),
  }),
  errors: ['INVALID_SIGNATURE', 'STALE_NONCE', 'WEBHOOK_LIMIT', 'UPSTREAM_UNAVAILABLE', 'STORE_UNAVAILABLE'],
  failureTitle: 'Policy not set',
  async run({ ctx, input, client, signal }) {
    const { keepLiquidSol, minSweepSol, signature: given, ...rest } = input;
    const policy = {
      ...rest,
      callbackUrl: canonicalUrl(input.callbackUrl),
      keepLiquidLamports: keepLiquidSol,
      minSweepLamports: minSweepSol,
    };
    // Checks the callback first, so no wallet signs a policy that is then refused because of its callback.
    const refusal = ctx.events.callbackTargets.validate(policy.callbackUrl);
    if (refusal) throw refusal;
    const text = policyText(policyScope(ctx), policy);
    const signature = requirePolicySignature(policy.walletAddress, text, given);
    const stored = await ctx.store.policies.put(
      { ...policy, signature },
      await registrationOf(ctx, policy, client, signal),
      MAX_POLICIES_PER_CLIENT,
      ctx.clock.now(),
    );
    if (stored.outcome === 'stale') throw staleNonce(stored.nonce);
    if (stored.outcome === 'limit') throw tooMany();
    ctx.events.wakeAutopilot();
    const { record, isNewRegistration } = stored;
    const registration = isNewRegistration ? await ctx.store.webhooks.find(record.registrationId) : null;
    return {
      body: {
        // A new policy does not inherit the failures of an earlier one.
        ...policyBody(record, { disabledReason: null }),
        ...(registration ? { secret: ctx.events.webhookSecrets.of(registration, ctx.clock.now())[0] } : {}),
        ...sentenceMembers(
          'message',
          record.paused
            ? sentence('POLICY_PAUSED', 'The policy is saved but paused, so no stakes are offered.')
            : sentence(
                'POLICY_SET',
                'The policy is set. Offers are delivered as autopilot_sweep; verify each before you sign it.',
              ),
        ),
      },
    };
  },
});

/**
 * Parses the URL. Requires its canonical form, because the signed text must contain exactly the URL that is
 * called.
 */
const canonicalUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
  const hasControls = /[\u0000-\u001f\u007f]/.test(text);
  if (!hasControls && url?.href === text) return text;
  const [code, message] = hasControls
    ? ['control_characters', 'must not contain control characters']
    : url === null
      ? ['invalid_url', 'must be a valid URL']
      : ['url_not_canonical', `must be written as in the URL standard: ${url.href}`];
  throw validationError([
    {
      path: 'callbackUrl',
      code: code!,
      message: message!,
      ...(code === 'url_not_canonical' && { params: { url: url!.href } }),
    },
  ]);
};

const registrationOf = async (
  ctx: Context,
  { walletAddress, callbackUrl }: { walletAddress: Address; callbackUrl: string },
  client: string,
  signal: AbortSignal,
): Promise<NewRegistration> => {
  const position = await ctx.chain.cluster.recentEpochPosition(signal);
  return {
    id: randomBytes(16).toString('hex'),
    kind: 'autopilot',
    walletAddress,
    callbackUrl,
    events: [],
    createdAtMs: ctx.clock.now(),
    createdEpoch: position.epoch,
    createdSlot: position.absoluteSlot,
    client,
  };
};

const tooMany = (): AppError =>
  new AppError('WEBHOOK_LIMIT', 'Your network has {limit} autopilot policies here, which is the limit.', {
    reason: 'POLICIES',
    params: { limit: MAX_POLICIES_PER_CLIENT },
    suggestedAction: 'Delete one you no longer need; it counts for 24 hours after it was created.',
  });
