// Reduces the service's responses to known fields and removes characters that could manipulate a reader.
import { answerShapes } from '../../client/generated/mcp-tools.ts';
import type { AnswerShape } from '../../src/mcp/tool-schemas.ts';
import type { LocalToolName } from './local-tools.ts';

type Members = Readonly<Record<string, unknown>>;

// Control characters except line breaks and tabs, format characters such as bidirectional marks, the two line
// separators, and variation selectors.
const STEERING = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Applies the conversion to every text in `value` and to the names of its fields. */
const mapTexts = <Value>(
  value: Value,
  change: (text: string) => string,
  changeName: (name: string) => string,
): Value => {
  const mapped = (held: unknown): unknown => {
    if (typeof held === 'string') return change(held);
    if (Array.isArray(held)) return held.map(mapped);
    if (typeof held !== 'object' || held === null) return held;
    return Object.fromEntries(
      Object.entries(held).map(([name, member]) => [changeName(name), mapped(member)]),
    );
  };
  return mapped(value) as Value;
};

const withoutSteering = (text: string): string => text.replaceAll(STEERING, '');

/** Returns `value` without characters that could manipulate a reader, in texts and field names. */
export const sanitizeTexts = <Value>(value: Value): Value =>
  mapTexts(value, withoutSteering, withoutSteering);

/** Local tools that sign, by the name of the service's tool that only builds the transaction. */
const SIGNED_HERE: Readonly<Record<string, LocalToolName>> = {
  create_stake_transaction: 'stake',
  create_unstake_transaction: 'unstake',
  withdraw_stake: 'withdraw',
  plan_stake_change: 'change_stake',
};
const BUILDERS = new RegExp(`\\b(?:${Object.keys(SIGNED_HERE).join('|')})\\b`, 'g');

/** Replaces the names of the service's builders with those of the tools that sign here. */
export const namingLocalTools = <Value>(value: Value): Value =>
  mapTexts(
    value,
    (text) => text.replaceAll(BUILDERS, (name) => SIGNED_HERE[name]!),
    (name) => name,
  );

const typesOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

const alternatives = (shape: AnswerShape): readonly AnswerShape[] =>
  shape.anyOf === undefined ? [shape] : shape.anyOf.flatMap(alternatives);

/** Keeps the fields of `value` that the shapes declare. Returns undefined if no shape matches. */
const pickDeclared = (value: unknown, given: readonly AnswerShape[]): unknown => {
  const shapes = given.flatMap(alternatives);
  if (shapes.some((shape) => Object.keys(shape).length === 0)) return value;
  const types = typesOf(value);
  const fitting = shapes.filter(({ type }) =>
    [type].flat().some((one) => one !== undefined && types.includes(one)),
  );
  if (fitting.length === 0) return undefined;
  if (Array.isArray(value)) {
    const items = fitting.flatMap((shape) => shape.items ?? []);
    return value.flatMap((item) => pickDeclared(item, items) ?? []);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const members = fitting.flatMap(({ properties = {}, additionalProperties }) =>
        Object.hasOwn(properties, name) ? properties[name]! : (additionalProperties ?? []),
      );
      const kept = members.length === 0 ? undefined : pickDeclared(held, members);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
};

const text: AnswerShape = { type: 'string' };
const texts: AnswerShape = { type: 'array', items: text };
const number: AnswerShape = { type: ['number', 'null'] };
const facts: AnswerShape = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

/** Fields of an error response that are passed on to the agent. */
const failureShape: AnswerShape = {
  type: 'object',
  properties: {
    error: text,
    message: text,
    errorCode: text,
    suggestedAction: text,
    currentState: text,
    stateDescription: text,
    why: text,
    signature: text,
    idempotencyKey: text,
    stakeAccountAddress: text,
    withdrawAuthority: text,
    textToSign: text,
    epochTiming: facts,
    lockup: facts,
    shortfallSol: number,
    balanceSol: number,
    availableToStake: number,
    availableToStakeLamports: number,
    missingSol: number,
    minimumStakeSol: number,
    partialWithdrawMaxSol: number,
    lastNonce: number,
    minimumDelegationSol: number,
    nearestBelowSol: number,
    nearestAboveSol: number,
    transactionCount: number,
    failedIndex: number,
    lastValidBlockHeight: number,
    slotsRemaining: number,
    estimatedEpochEnd: text,
    missingSigners: texts,
    invalidSigners: texts,
    blocked: {
      type: 'array',
      items: {
        type: 'object',
        properties: { stakeAccountAddress: text, reason: text, possibleFromEpoch: number },
      },
    },
    landed: {
      type: 'array',
      items: { type: 'object', properties: { signature: text, explorerUrl: text } },
    },
    details: {
      type: 'array',
      items: { type: 'object', properties: { path: text, code: text, message: text } },
    },
  },
};

const metaShape: AnswerShape = {
  type: 'object',
  properties: {
    timestamp: text,
    cluster: text,
    cachedAt: text,
    cacheTtlSeconds: number,
    indexSlot: number,
    verifiedSlot: number,
    relatedTools: { type: 'object', additionalProperties: text },
    nextSteps: { type: 'object', additionalProperties: text },
  },
};

const CALL = /^(\w+)(?:\((?:\w+: [\w-]{1,100}(?:, )?)*\))?$/;

/** Returns only the links to known tools. */
const toolCalls = (links: unknown): Members =>
  Object.fromEntries(
    Object.entries((links ?? {}) as Members).filter(([, call]) => {
      const name = CALL.exec(String(call))?.[1];
      return name !== undefined && Object.hasOwn(answerShapes, name);
    }),
  );

/** Keeps the known values in `_meta` and its links to tools. Omits sentences written by the service. */
const metaOf = (meta: unknown): Members => {
  const { relatedTools, nextSteps, ...figures } = (pickDeclared(meta, [metaShape]) ?? {}) as Members;
  const links = { relatedTools: toolCalls(relatedTools), nextSteps: toolCalls(nextSteps) };
  return {
    ...figures,
    ...Object.fromEntries(Object.entries(links).filter(([, calls]) => Object.keys(calls).length > 0)),
  };
};

/**
 * Returns the known fields of the response of a tool or resource; undefined if the response is not an object.
 */
export const knownResponse = (nameOrUri: string, body: unknown): Members | undefined => {
  const known = pickDeclared(body, [JSON.parse(answerShapes[nameOrUri]!) as AnswerShape]) as
    | Members
    | undefined;
  return known && sanitizeTexts({ ...known, _meta: metaOf((body as Members)._meta) });
};

/** Returns only the known fields of a refusal. */
export const knownFailure = (body: unknown): Members =>
  sanitizeTexts(pickDeclared(body, [failureShape]) ?? {}) as Members;
