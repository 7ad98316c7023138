// Carries out a request to the autopilot: gets the text from the service, checks it, has the wallet sign it,
// and sends it.
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { WalletError } from '../../../wallet/wallet-error.ts';
import { defineWords } from '../../../words/define-words.ts';
import { autopilotEnglish } from '../../../words/en/developers/autopilot-policy.ts';
import type { NewSecret } from '../webhooks/webhook-secrets.ts';
import { nextNonce, type PolicyRequest, readPolicyScope } from './policy-request.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

export interface PolicySigningPorts {
  /** Sends the request. Returns the secret of a new policy, otherwise null. Rejects with `HoldfastError`. */
  readonly send: (request: PolicyRequest, nonce: number, signature: string) => Promise<NewSecret | null>;
  /** The validator shown on the page. */
  readonly voteAccount: () => Promise<string>;
  /** Returns the signature in base58. Rejects with `WalletError`. */
  readonly sign: (text: string, walletAddress: string) => Promise<string>;
  readonly now: () => number;
}

/** A text that passed the check. */
export interface PreparedPolicy {
  readonly nonce: number;
  readonly text: string;
  /** Name that the service gives itself. The signature is valid only for this service. */
  readonly serviceOrigin: string;
}

/** 64 zero bytes, which are not a valid signature. The refusal contains the text to sign. */
const NO_SIGNATURE = '1'.repeat(64);

const memberOf = (error: unknown, name: string): unknown =>
  isHoldfastError(error) ? error.body?.[name] : undefined;

/** Reads the newest nonce of the wallet from a refusal; 0 without one. */
export const lastNonceOf = (error: unknown): number => {
  const reported = memberOf(error, 'lastNonce');
  return typeof reported === 'number' ? reported : 0;
};

const askText = async (
  { send }: PolicySigningPorts,
  request: PolicyRequest,
  nonce: number,
): Promise<string> => {
  try {
    await send(request, nonce, NO_SIGNATURE);
  } catch (error) {
    const text = memberOf(error, 'textToSign');
    if (isHoldfastError(error, 'INVALID_SIGNATURE') && typeof text === 'string') return text;
    throw error;
  }
  throw new Error(say('acceptedUnsigned'));
};

/** Gets and checks the text without changing anything. Rejects if the service asks for a different text. */
export const preparePolicy = async (
  deps: PolicySigningPorts,
  request: PolicyRequest,
  lastNonce: number,
): Promise<PreparedPolicy> => {
  const nonce = nextNonce(deps.now(), lastNonce);
  const [text, voteAccount] = await Promise.all([askText(deps, request, nonce), deps.voteAccount()]);
  const scope = readPolicyScope(text, request, nonce, voteAccount);
  if (scope === null) throw new WalletError('changed', say('doNotSign'), say('doNotSignText'));
  return { nonce, text, serviceOrigin: scope.serviceOrigin };
};

/** Has the text signed and sends it. Returns the secret of a new policy, otherwise null. */
export const signPolicy = async (
  deps: PolicySigningPorts,
  request: PolicyRequest,
  { nonce, text }: PreparedPolicy,
): Promise<NewSecret | null> => deps.send(request, nonce, await deps.sign(text, request.walletAddress));
