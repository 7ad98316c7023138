// Converts a failure into an exit code, a JSON error body, and text.
import { isHoldfastError } from '../client/holdfast-error.ts';
import { Declined, NotAsAsked, OUTCOME_UNKNOWN, StoppedHalfway } from '../client/staking/staking-errors.ts';
import { SERVICE_FACTS, ServiceChanged, ServiceNotTrusted } from './local/known-services.ts';
import { PolicyRefused } from './policy/policy-refused.ts';
import { instant, timeZone } from './show/format-cells.ts';
import { plain } from './show/plain-text.ts';
import type { Paint } from './show/terminal-colors.ts';
import { UsageError } from './usage-error.ts';

interface Failure {
  /** Exit code. 1: refused by the service, the chain or the person. 2: usage error. 3: no response, or an unknown outcome. 130: interrupted. */
  readonly exitCode: 1 | 2 | 3 | 130;
  /** The service's own error body if there is one. */
  readonly body: Readonly<Record<string, unknown>>;
}

const NO_ANSWER: ReadonlySet<string> = new Set([
  'NETWORK',
  'TIMEOUT',
  'BAD_ANSWER',
  'SUBMISSION_UNRESOLVED',
  'UPSTREAM_UNAVAILABLE',
]);
/** After these errors, nothing can be read through the service. */
const SILENT: ReadonlySet<unknown> = new Set(['NETWORK', 'TIMEOUT', 'UPSTREAM_UNAVAILABLE']);
const MISTAKES: ReadonlySet<string> = new Set(['INVALID_INPUT', 'INSECURE_URL']);

/** Advice if nothing responds at the service's address. */
export const NOBODY_THERE =
  'Check that the service is running there, or specify another one with --url or HOLDFAST_URL. You can also list, unstake and withdraw without a service by adding --direct.';

/** Advice if only some transactions of a request landed. */
const CONTINUE =
  'To continue, run the command again. If it takes an amount, give only what is missing; holdfast accounts shows what has changed.';

const POLICY_REMEDY =
  'Only the owner of the policy can change the policy. Tell them what was refused; do not look for another way.';

const PERSON_REMEDY =
  'Tell the owner of the wallet, who can run the command on a terminal without --yes. Do not look for another way.';

const SIGN_URL_REMEDY =
  'Give signUrl to the owner of the wallet, who reviews and signs this request on the page of the service until signUrlExpiresAt. Then repeat this request with its idempotency key, which returns the outcome. Do not send it again with another key.';

/**
 * Advice in the text output, with commands of this program instead of the service's advice or the advice for
 * agents. The JSON body stays unchanged.
 */
const adviceFor = ({
  error,
  errorCode,
  signature,
  reason,
  params,
  stateDescriptionSentences: state,
  signUrl,
}: Failure['body']): string | undefined => {
  // While the service or its node does not respond, only the user's own node can be asked.
  if (error === OUTCOME_UNKNOWN && SILENT.has(errorCode))
    return `The transaction was signed and may still land. Check it with holdfast verify ${plain(signature)} --rpc URL (your RPC node), or repeat the command with its idempotency key, which is safe.`;
  if (errorCode === 'POLICY_NEEDS_PERSON')
    return `Run it on a terminal without --yes to approve it yourself${signUrl === undefined ? '.' : `, or sign it on the page: ${plain(signUrl)}`}`;
  if (String(errorCode).startsWith('POLICY_'))
    return 'Ask the owner of the policy to change it, or stay within it.';
  if (errorCode === 'UNDO_TOO_LATE')
    return 'If it is inactive now (holdfast accounts): holdfast restake stakes it again, holdfast withdraw ALL takes it out.';
  const { address } = (params ?? {}) as Readonly<Record<string, unknown>>;
  switch (`${errorCode} ${reason}`) {
    case 'STAKE_NOT_WITHDRAWABLE STAKED':
      return `Unstake it first: holdfast unstake ${plain(address)}. It can ${
        Array.isArray(state) && state.some((one) => one?.code === 'ACTIVATING')
          ? 'then be withdrawn at once, because it is not active yet'
          : 'be withdrawn once the epoch has ended'
      }.`;
    case 'STAKE_NOT_WITHDRAWABLE DEACTIVATING':
      return 'holdfast accounts shows when it can be withdrawn.';
    case 'UPSTREAM_UNAVAILABLE RPC_UNAVAILABLE':
    case 'UPSTREAM_UNAVAILABLE RPC_LATE':
      return 'Try again in a few seconds. With your own RPC node, you can list, unstake and withdraw without the service by adding --direct.';
    case 'INVALID_TRANSACTION UNSIGNED':
      return 'Sign it first: holdfast sign FILE --goal GOAL > signed.txt, then holdfast submit signed.txt.';
    case 'NOT_FOUND NOT_OF_WALLET':
    case 'NOT_FOUND NOT_OF_WALLET_AND_SECRET':
    case 'NOT_FOUND NO_WEBHOOK':
      return 'Wrong id or secret. holdfast webhooks list shows the ids; specify the secret with --secret-file FILE.';
    case 'NOT_FOUND WEBHOOK_DELETED':
      return 'Restore it within 30 days: holdfast webhooks restore ID --secret-file FILE.';
    default:
      return undefined;
  }
};

const ownBody = (error: string, errorCode: string, message: string, more: object = {}) => ({
  error,
  errorCode,
  message,
  ...more,
});

/** Converts `error`. Returns undefined for a bug, which must show its own stack trace. */
export const failureOf = (error: unknown): Failure | undefined => {
  if (error instanceof UsageError) return { exitCode: 2, body: ownBody('Usage', 'USAGE', error.message) };
  if (error instanceof Declined) return { exitCode: 1, body: ownBody('Declined', 'DECLINED', error.message) };
  if (error instanceof NotAsAsked)
    return {
      exitCode: 1,
      body: ownBody('Do not sign', 'NOT_AS_ASKED', error.message, { fields: error.fields }),
    };
  if (error instanceof ServiceChanged)
    return {
      exitCode: 1,
      body: ownBody('Service changed', 'SERVICE_CHANGED', error.message, { changes: error.changes }),
    };
  if (error instanceof ServiceNotTrusted)
    return { exitCode: 1, body: ownBody('Service not trusted', 'SERVICE_NOT_TRUSTED', error.message) };
  if (error instanceof PolicyRefused) {
    const { code, message, details, signUrl, signUrlExpiresAt, idempotencyKey } = error.refusal;
    return {
      exitCode: 1,
      body: ownBody(
        code === 'POLICY_NEEDS_PERSON' ? 'Needs a person' : 'Refused by the policy',
        code,
        message,
        {
          suggestedAction:
            signUrl !== undefined
              ? SIGN_URL_REMEDY
              : code === 'POLICY_NEEDS_PERSON'
                ? PERSON_REMEDY
                : POLICY_REMEDY,
          ...(signUrl === undefined ? {} : { signUrl }),
          ...(signUrlExpiresAt === undefined ? {} : { signUrlExpiresAt }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
          ...(details === undefined ? {} : { policy: details }),
        },
      ),
    };
  }
  if (error instanceof StoppedHalfway) {
    // If there is no cause, an earlier run was interrupted between two transactions.
    const failure: Failure | undefined =
      error.cause === undefined
        ? { exitCode: 1, body: ownBody('Stopped halfway', 'STOPPED_HALFWAY', error.message) }
        : failureOf(error.cause);
    const landed = error.landed.map(({ response }) => ({
      signature: response.signature,
      explorerUrl: response.explorerUrl,
    }));
    return (
      failure && {
        ...failure,
        body: { suggestedAction: CONTINUE, ...failure.body, message: error.message, landed },
      }
    );
  }
  if (!isHoldfastError(error)) return undefined;
  const { errorCode, suggestedAction, idempotencyKey, retryAfterSeconds } = error;
  const exitCode =
    errorCode === 'ABORTED'
      ? 130
      : NO_ANSWER.has(errorCode) || error.body?.error === OUTCOME_UNKNOWN
        ? 3
        : MISTAKES.has(errorCode)
          ? 2
          : 1;
  return {
    exitCode,
    body: {
      ...(error.body
        ? { message: error.message, ...error.body }
        : ownBody(exitCode === 3 ? 'No response' : 'Failed', errorCode, error.message, {
            ...(suggestedAction === undefined ? {} : { suggestedAction }),
            ...(suggestedAction === undefined && (errorCode === 'NETWORK' || errorCode === 'TIMEOUT')
              ? { suggestedAction: NOBODY_THERE }
              : {}),
            ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
          })),
      // The value comes from a header, which users of the JSON body cannot see.
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  };
};

/** Returns the message, with the time at which a policy's limit frees up in this machine's time zone. */
const withLocalTime = ({ message, errorCode, policy }: Failure['body']): unknown => {
  const { freesAt } = (policy ?? {}) as Readonly<Record<string, unknown>>;
  return errorCode === 'POLICY_LIMIT' && typeof freesAt === 'string'
    ? String(message).replace(freesAt, `${instant(freesAt, 'second')} (${timeZone()})`)
    : message;
};

/** Formats the failure as text for standard error. */
export const failureLines = ({ body, exitCode }: Failure, paint: Paint): string[] => {
  // A service may send a field of this name with any content.
  const fields: NotAsAsked['fields'] = Array.isArray(body.fields) ? body.fields : [];
  const advice = adviceFor(body) ?? body.suggestedAction;
  const changes: ServiceChanged['changes'] =
    body.errorCode === 'SERVICE_CHANGED' && Array.isArray(body.changes) ? body.changes : [];
  return [
    `${paint('red', '✗')} ${plain(withLocalTime(body))}`,
    ...fields
      .filter((field) => field?.ok === false)
      .map(({ field, problem, found }) => `    ${plain(field)}: ${plain(problem)} Found: ${plain(found)}`),
    ...changes.flatMap(({ name, remembered, now }) => [
      `    ${plain(SERVICE_FACTS[name] ?? name)}`,
      `      remembered: ${plain(remembered ?? 'not given')}`,
      `      now:        ${plain(now ?? 'not given')}`,
    ]),
    ...(typeof advice === 'string' ? [`  ${plain(advice)}`] : []),
    ...(exitCode === 1 && typeof body.errorCode === 'string'
      ? [paint('dim', `  ${plain(body.errorCode)}`)]
      : []),
  ];
};
