// Calls a tool and its REST operation with the same arguments, and defines which parts of their responses must
// be equal.

import type { Route } from '../../src/http/pipeline/route.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import type { McpTool } from '../../src/mcp/tool.ts';
import { patience } from './patience.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

/** Returns the route that runs the tool's operation. */
export const restRouteOf = (tool: McpTool): Route => {
  const found = allRoutes.filter(({ operation }) => operation === tool.operation);
  if (found.length !== 1) throw new Error(`${tool.name} has ${found.length} REST twins`);
  return found[0]!;
};

/** Calls the REST operation with the tool's arguments. Returns the status and the body. */
export const callRestRoute = async (
  url: string,
  tool: McpTool,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly status: number; readonly body: Json }> => {
  const route = restRouteOf(tool);
  const members: Record<string, unknown> = { ...args };
  for (const [member, name] of Object.entries(tool.argumentNames ?? {})) {
    members[member] = members[name];
    delete members[name];
  }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(members[name] ?? 'none');
    delete members[name];
    return encodeURIComponent(value);
  });
  const response = await fetch(new URL(path, url), {
    method: route.method,
    ...(route.method === 'GET'
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(members) }),
    signal: patience(),
  });
  return { status: response.status, body: await response.json() };
};

/**
 * Fields whose values change between two calls: the machine's clock, the chain's clock, and everything derived
 * from a new blockhash.
 */
const CLOCK = new Set([
  ...['timestamp', 'cachedAt', 'estimatedSecondsRemaining', 'estimatedEpochEnd', 'earliestEpochEnd'],
  ...['latestEpochEnd', 'progressPct', 'slotIndex', 'slotsRemaining', 'slotDurationMs', 'absoluteSlot'],
  ...['blockHeight', 'blockhash', 'lastValidBlockHeight', 'estimatedExpiresAt', 'signUrlExpiresAt'],
  ...['estimatedActiveAt', 'estimatedFirstRewardAt', 'estimatedWithdrawableAt', 'uptimeSeconds'],
  ...['ifUnstakedNow', 'at'],
]);

// Each interface names the next step in its own words. `guidance.test.ts` compares both with the routes and the
// tools.
const GUIDANCE = new Set([
  ...['suggestedAction', 'nextSteps', 'suggestedActions', 'recommendedAction'],
  ...['verificationSteps', 'donate'],
]);
const LINKS = ['relatedEndpoints', 'relatedTools'];

const TIME = /\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC/g;

// Fields that appear once the index has noticed a change, which can happen between the two calls.
const SOMETIMES = ['indexSlot', 'verifiedSlot', 'failingSince'];

/**
 * Replaces everything in `body` that depends on the time with its type, and removes the blockhash and the
 * signatures from base64 transactions.
 */
export const withoutTimes = (body: Json, more: readonly string[] = [], name = ''): Json => {
  if (GUIDANCE.has(name) && body !== null) return '(guidance)';
  if (name === 'message' && typeof body === 'string' && /\/api\/v1\/|_[a-z]+\(/.test(body))
    return '(guidance)';
  // Notices repeat these texts as data.
  if (name === 'text' && typeof body === 'string' && /\/api\/v1\/|\b[a-z]+_[a-z_]+/.test(body))
    return '(guidance)';
  if ((name === 'message' || name === 'text') && typeof body === 'string' && body.search(TIME) >= 0)
    return body.replaceAll(TIME, '(time)');
  if (CLOCK.has(name) || more.includes(name)) return `(${body === null ? 'null' : typeof body})`;
  if (name === 'signUrl' && typeof body === 'string') return withoutExpiry(body);
  if (typeof body !== 'object' || body === null)
    return name === 'transaction' || (name === 'message' && /^[A-Za-z0-9+/]{200,}=*$/.test(body))
      ? withoutBlockhash(body as string, name)
      : body;
  if (Array.isArray(body)) return body.map((item) => withoutTimes(item, more, name));
  return Object.fromEntries(
    Object.entries(body)
      .filter(([member]) => !SOMETIMES.includes(member) && !LINKS.includes(member))
      .map(([member, value]) => [member, withoutTimes(value, more, member)]),
  );
};

/**
 * Returns the fields of a sign link without its expiry and without the signature, which also covers the expiry.
 */
const withoutExpiry = (signUrl: string): Json => {
  const [payload = ''] = new URL(signUrl).searchParams.get('request')!.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).toSpliced(6, 1);
};

const withoutBlockhash = (base64: string, name: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  const message = name === 'transaction' ? bytes.subarray(1 + 64 * bytes[0]!) : bytes;
  // The blockhash follows a header of 3 bytes (4 with a version), a count below 128, and the keys.
  const at = message[0]! >= 0x80 ? 4 : 3;
  const end = at + 1 + 32 * message[at]!;
  return Buffer.concat([message.subarray(0, end), message.subarray(end + 32)]).toString('base64');
};
