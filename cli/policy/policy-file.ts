// Reads a policy, which contains the limits of an agent. Refuses a file with unknown, missing or contradictory
// fields.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import { ADDRESS_PATTERN } from '../../src/kernel/base58.ts';
import { fileProblem } from '../local/text-file.ts';
import { suggestName } from '../parse-command-line.ts';
import { UsageError } from '../usage-error.ts';

/** Operations that a policy can allow, named after the commands. */
export const OPERATIONS = [
  ...['stake', 'topup', 'restake', 'undo', 'migrate', 'unstake', 'withdraw', 'sweep', 'tidy', 'rescue'],
] as const satisfies readonly string[];

/**
 * Amounts that a policy can limit. `stake`: SOL that goes into stake accounts or is delegated again, rent
 * included. `unstake`: stake that is deactivated. `withdraw`: SOL that leaves stake accounts for the wallet.
 * `fees`: network and priority fees.
 */
export const AMOUNT_KINDS = ['stake', 'unstake', 'withdraw', 'fees'] as const;
export type AmountKind = (typeof AMOUNT_KINDS)[number];

/** Periods of a limit, shortest first. `each`: one request. */
export const PERIODS = ['each', 'hour', 'day', 'epoch'] as const;
export type Period = (typeof PERIODS)[number];

/** Maximum lamports in each period. */
export type Limits = Readonly<Partial<Record<AmountKind, Readonly<Partial<Record<Period, bigint>>>>>>;

export interface Policy {
  /** Genesis hash. */
  readonly cluster: string;
  readonly wallet: string;
  /** Vote accounts of the only validators to stake with. The service must belong to one of them too. */
  readonly validators: readonly string[];
  /** Addresses to which SOL may be withdrawn. */
  readonly recipients: readonly string[];
  readonly operations: readonly string[];
  readonly limits: Limits;
  /** Minutes after midnight, UTC. `to` is exclusive. Undefined: no restriction. */
  readonly hours?: { readonly from: number; readonly to: number } | undefined;
  /** Requests with a larger amount require a person's approval. Undefined: no request does. */
  readonly approveAboveLamports?: bigint | undefined;
  /** Nothing is signed while this file exists. */
  readonly freezeFile?: string | undefined;
}

/** A policy with its file. */
export interface PolicyFile {
  /** Resolved path, so every path and link to the file leads to the same budget. */
  readonly path: string;
  readonly sha256: string;
  readonly policy: Policy;
}

const address = z.string().regex(new RegExp(ADDRESS_PATTERN), 'is not an address');

const sol = z.union([z.number(), z.string()]).transform((given, context) => {
  try {
    const lamports = solToLamports(given);
    if (lamports > 0n) return lamports;
  } catch {
    // Reported below.
  }
  context.addIssue('is not an amount of SOL above 0 with at most 9 decimals');
  return z.NEVER;
});

const minutes = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time from 00:00 to 23:59')
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const periods = z.strictObject({
  each: sol.optional(),
  hour: sol.optional(),
  day: sol.optional(),
  epoch: sol.optional(),
});

const schema = z.strictObject({
  version: z.literal(1),
  cluster: address,
  wallet: address,
  validators: z.array(address).min(1),
  recipients: z.array(address).optional(),
  operations: z.array(z.enum(OPERATIONS)).min(1),
  limits: z
    .strictObject({
      stake: periods.optional(),
      unstake: periods.optional(),
      withdraw: periods.optional(),
      fees: periods.optional(),
    })
    .optional(),
  hours: z.strictObject({ from: minutes, to: minutes }).optional(),
  approveAbove: sol.optional(),
  freezeFile: z.string().min(1).optional(),
});

/** Returns the fields that occur twice in one object. `JSON.parse` would silently use the last one. */
const repeatedMembers = (text: string): readonly string[] => {
  const repeated: string[] = [];
  const objects: (Set<string> | null)[] = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (name !== undefined) {
      const member = JSON.parse(name) as string;
      if (objects.at(-1)?.has(member)) repeated.push(member);
      objects.at(-1)?.add(member);
    } else if (token === '{' || token === '[') objects.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') objects.pop();
  }
  return repeated;
};

/** Operations that can have an amount of each kind. Every operation pays fees. */
export const OPERATIONS_WITH: Readonly<Record<Exclude<AmountKind, 'fees'>, readonly string[]>> = {
  // An unstake may create an account, whose rent counts as `stake`.
  stake: ['stake', 'topup', 'restake', 'undo', 'migrate', 'sweep', 'unstake', 'withdraw'],
  unstake: ['unstake', 'migrate'],
  withdraw: ['withdraw', 'sweep', 'tidy', 'restake'],
};

/** Kinds of amounts, each with the operations that it applies to. */
const MAIN_AMOUNTS: readonly (readonly [AmountKind, ...string[]])[] = [
  ['stake', 'stake', 'topup', 'restake', 'undo', 'migrate'],
  ['unstake', 'unstake', 'migrate'],
  ['withdraw', 'withdraw', 'sweep', 'tidy'],
];

/**
 * Pairs of periods in which the second always contains the first. An epoch may be shorter or longer than a day.
 */
const NESTED: readonly (readonly [Period, Period])[] = [
  ['each', 'hour'],
  ['each', 'day'],
  ['each', 'epoch'],
  ['hour', 'day'],
];

/** Lists the parts of a policy that contradict each other. */
const contradictions = (policy: Policy): readonly string[] => {
  const { limits, operations, wallet, recipients, hours, approveAboveLamports } = policy;
  const found: string[] = [];
  for (const kind of AMOUNT_KINDS) {
    const limit = limits[kind];
    if (limit === undefined) continue;
    if (PERIODS.every((period) => limit[period] === undefined)) found.push(`limits.${kind} limits nothing`);
    for (const [period, longer] of NESTED)
      if ((limit[period] ?? 0n) > (limit[longer] ?? limit[period] ?? 0n))
        found.push(
          `limits.${kind}.${period} (${lamportsToSol(limit[period]!)}) is more than limits.${kind}.${longer} (${lamportsToSol(limit[longer]!)})`,
        );
    if (kind !== 'fees' && !operations.some((one) => OPERATIONS_WITH[kind].includes(one)))
      found.push(`limits.${kind} is given, but no operation that it limits is allowed`);
  }
  if (new Set(operations).size < operations.length) found.push('an operation is named twice');
  if (hours && hours.from === hours.to) found.push('hours.from and hours.to are the same time');
  if (!recipients.includes(wallet) && operations.some((one) => OPERATIONS_WITH.withdraw.includes(one)))
    found.push(
      `an operation that withdraws to the wallet is allowed, but recipients do not include ${wallet}`,
    );
  const isReached = (kind: AmountKind, above: bigint): boolean =>
    PERIODS.every((period) => (limits[kind]?.[period] ?? above + 1n) > above);
  if (
    approveAboveLamports !== undefined &&
    !MAIN_AMOUNTS.some(
      ([kind, ...names]) =>
        operations.some((one) => names.includes(one)) && isReached(kind, approveAboveLamports),
    )
  )
    found.push(
      `approveAbove (${lamportsToSol(approveAboveLamports)}) is not below any limit, so no person is ever asked`,
    );
  return found;
};

/** Returns the fields that the object at `path` may have. */
const membersAt = ([first, second]: readonly PropertyKey[]): readonly string[] =>
  first === 'hours'
    ? ['from', 'to']
    : first !== 'limits'
      ? Object.keys(schema.shape)
      : second === undefined
        ? AMOUNT_KINDS
        : PERIODS;

const valueAt = (json: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value, name) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name], json);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a text',
};

const quoted = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

const issueText = (issue: z.core.$ZodIssue, json: unknown): string => {
  const value = valueAt(json, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = membersAt(issue.path);
      return issue.keys
        .map(
          (name) =>
            `there is no field ${quoted(name)}.${suggestName(name, known) || ` The fields are ${known.join(', ')}.`}`,
        )
        .join(' ');
    }
    case 'invalid_value':
      if (value === undefined) return 'is missing';
      return `${quoted(value)} is not one of ${issue.values.join(', ')}.${typeof value === 'string' ? suggestName(value, issue.values.map(String)) : ''}`;
    case 'invalid_type':
      return value === undefined ? 'is missing' : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_union':
      return 'is not an amount of SOL';
    case 'too_small':
      return 'is empty';
    default:
      return issue.message;
  }
};

const textOf = (error: z.ZodError, json: unknown): string =>
  error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issueText(issue, json)}`).join('; ');

/** Parses a policy's text. Relative paths are resolved against `folder`. Throws `UsageError` if the policy is invalid. */
export const parsePolicy = (text: string, path: string): Policy => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the policy ${path} is not JSON: ${(error as Error).message}`);
  }
  const repeated = repeatedMembers(text);
  if (repeated.length > 0)
    throw new UsageError(`the policy ${path} contradicts itself: ${repeated.join(', ')} is given twice`);
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new UsageError(`the policy ${path} is invalid: ${textOf(parsed.error, json)}`);
  const { wallet, recipients = [wallet], limits = {}, approveAbove, freezeFile, ...rest } = parsed.data;
  const policy: Policy = {
    ...rest,
    wallet,
    recipients,
    limits: limits as Limits,
    approveAboveLamports: approveAbove,
    freezeFile: freezeFile === undefined ? undefined : resolve(dirname(path), freezeFile),
  };
  const found = contradictions(policy);
  if (found.length > 0) throw new UsageError(`the policy ${path} contradicts itself: ${found.join('; ')}`);
  return policy;
};

/** Reads the bytes of a policy and their hash. Throws `UsageError` if the file cannot be read. */
export const readPolicyBytes = (path: string): { readonly text: string; readonly sha256: string } => {
  try {
    const bytes = readFileSync(path);
    return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    throw new UsageError(`the policy ${fileProblem(path, error)}`);
  }
};

/** Reads the policy at `given`. Throws `UsageError` if it is unreadable, invalid or contradictory. */
export const readPolicy = (given: string): PolicyFile => {
  let path = resolve(given);
  try {
    path = realpathSync(path);
  } catch {
    // A missing file is reported by the read below.
  }
  const { text, sha256 } = readPolicyBytes(path);
  return { path, sha256, policy: parsePolicy(text, path) };
};
