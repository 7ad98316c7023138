// The error class used across layers: a code, a message in English, and fields for the body.
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ErrorParam, ErrorReason } from './error-reasons.ts';
import type { Guidance } from './guidance.ts';
import {
  filledGuidance,
  filledText,
  paramsOf,
  type SentenceFigures,
  type SentenceParams,
} from './sentence.ts';

/**
 * One problem of a request: the path, the violated rule with its parameters, and a sentence, but never the
 * offending value.
 */
export interface ValidationIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /**
   * Parameters of the rule. For suggestions: `or` is the field that may be added or left out instead, `sent`
   * is the misspelled name of the field, and `nearest` is the name or value that was probably meant.
   */
  readonly params?: SentenceParams;
}

/**
 * Details in addition to code and message. All of them except `cause` may be shown to the caller, so they
 * must never contain a key or a URL.
 */
interface AppErrorOptions<Code extends ErrorCode, Reason extends ErrorReason> {
  /**
   * Distinguishes messages with the same error code. Each combination of code and reason has one message and
   * one suggested action. `errorReasons` lists them with their parameters.
   */
  readonly reason?: Reason;
  /**
   * Values for the placeholders in the message and the suggested action, such as `{address} is not a stake
   * account.`
   */
  readonly params?: [ErrorParam<Code, Reason>] extends [never]
    ? never
    : { readonly [Name in ErrorParam<Code, Reason>]?: SentenceFigures[string] };
  /** The caller's next action, in one sentence. */
  readonly suggestedAction?: Guidance;
  /** Fields added to the error body unchanged, such as `currentState`, `epochTiming` and `signature`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Every issue of a refused input. */
  readonly details?: readonly ValidationIssue[];
  /** Whole seconds after which a retry makes sense. Becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** For logs only; never shown. */
  readonly cause?: unknown;
}

/**
 * A failure that is reported to the caller. Any other thrown error is a bug and becomes `INTERNAL` without
 * its message.
 */
export class AppError<
  Code extends ErrorCode = ErrorCode,
  Reason extends ErrorReason<Code> = ErrorReason<Code>,
> extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | undefined;
  /** Parameters of the message and the suggested action. */
  readonly params: SentenceParams;
  readonly suggestedAction: Guidance | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly details: readonly ValidationIssue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, options: AppErrorOptions<Code, Reason> = {}) {
    const { suggestedAction } = options;
    const params = (options.params ?? {}) as SentenceFigures;
    super(filledText(message, params), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.params = paramsOf(params);
    this.suggestedAction =
      suggestedAction === undefined ? undefined : filledGuidance(suggestedAction, params);
    this.body = options.body ?? {};
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Returns true if the same request may succeed later unchanged. */
  get retryable(): boolean {
    return errorCodes[this.code].retryable;
  }
}

/** Returns true if `error` is an `AppError` and, if `code` is given, has that code. */
export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

/** Maximum length of a rule that a suggestion repeats. */
const MAX_RULE = 120;

/** Fixes for issues by their code, other than changing the value. `follow`: do what the message says. */
const FIXES: Readonly<Record<string, 'add' | 'omit' | 'follow'>> = {
  required: 'add',
  amount_required: 'add',
  amount_not_taken: 'omit',
  inactive_apart: 'omit',
  inactive_whole: 'omit',
  not_for_goal: 'omit',
  not_for_plans: 'omit',
  not_for_undo: 'omit',
  not_together: 'omit',
  not_with_sources: 'omit',
  unexpected: 'omit',
  unknown_field: 'omit',
  event_or_range: 'follow',
};

/** Returns a sentence as a part of another. */
const asClause = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;

/** Says what to change if the issue does not concern a single field. */
const changeOfAll = ({ code, message, params }: ValidationIssue): string => {
  switch (FIXES[code]) {
    case 'add':
      return `add ${params?.or}`;
    case 'omit':
      return 'leave out the field with the unknown name';
    case 'follow':
      return message;
    default:
      return `change this: ${asClause(message)}`;
  }
};

/** Says how to change one refused field. `describe` returns the field's meaning. */
const changeOf = (
  issue: ValidationIssue,
  describe: (issue: ValidationIssue) => string | undefined,
): string => {
  const { path, code, message, params } = issue;
  if (path === '') return changeOfAll(issue);
  const meaning = describe(issue);
  const named = meaning === undefined ? path : `${path} (${meaning})`;
  const { sent, nearest, or } = params ?? {};
  const orOther = or === undefined ? '' : ` or ${or}`;
  switch (FIXES[code]) {
    case 'add':
      return sent === undefined ? `add ${named}${orOther}` : `rename ${sent} to ${named}`;
    case 'omit':
      return nearest === undefined ? `leave out ${path}${orOther}` : `rename ${path} to ${nearest}`;
  }
  // Some messages are sentences, others continue the field's name.
  if (message.length <= MAX_RULE)
    return `change ${named}: ${/^[A-Z]/.test(message) ? asClause(message) : `it ${message}`}`;
  if (nearest !== undefined) return `change ${path} to ${nearest}`;
  // The message already lists long alternatives, so the suggestion only refers to it.
  return `change ${named}: ${code === 'invalid_value' ? 'use one of the values in the message' : 'see the message'}`;
};

/** Maximum number of fields in a suggestion. The message lists all of them. */
const MAX_CHANGES = 3;

/** Says how to change refused input, e.g. `Add walletAddress (the wallet that pays). Then try again.` */
export const suggestedChanges = (
  details: readonly ValidationIssue[],
  describe: (issue: ValidationIssue) => string | undefined = () => undefined,
): string => {
  const changes = details.slice(0, MAX_CHANGES).map((issue) => changeOf(issue, describe));
  const text = [...changes, ...(details.length > MAX_CHANGES ? ['see details for the rest'] : [])].join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}. Then try again.`;
};

/**
 * Creates the error for refused input. The message lists `path: issue` joined by `; `, as the API defines.
 */
export const validationError = (
  details: readonly ValidationIssue[],
  suggestedAction: Guidance = suggestedChanges(details),
): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    details.map((d) => (d.path ? `${d.path}: ${d.message}` : d.message)).join('; '),
    { details, suggestedAction },
  );
