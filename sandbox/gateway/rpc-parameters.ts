// Refuses the parameters that an Agave node refuses: limits, addresses, signatures, and future slots.

import { decodeBase58 } from '../base58.ts';
import { RuntimeRpcError } from '../runtime-client.ts';
import { configPositionOf, isFinalized, type SlotPosition } from './finality.ts';
import { configOf, invalidParams } from './rpc-response-context.ts';

const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_ACCOUNTS = 100;
const MAX_LOCKED_ACCOUNTS = 128;
const MAX_SIGNATURES = 256;
const MAX_FILTERS = 4;
const MAX_LISTED_SIGNATURES = 1_000;
const MAX_SAMPLES = 720;
const NO_BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;

function checkBase58(text: unknown, bytes: number): void {
  if (typeof text !== 'string') return;
  const decoded = decodeBase58(text);
  if (decoded === null) throw invalidParams('Invalid param: Invalid');
  if (decoded.length !== bytes) throw invalidParams('Invalid param: WrongSize');
}

function listOf(value: unknown, most: number): readonly unknown[] {
  const list = Array.isArray(value) ? value : [];
  if (list.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
  return list;
}

const checkAddress = (text: unknown): void => checkBase58(text, ADDRESS_BYTES);
const checkSignature = (text: unknown): void => checkBase58(text, SIGNATURE_BYTES);

function checkFilters(filters: unknown): void {
  if (!Array.isArray(filters)) return;
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  for (const { memcmp } of filters as { memcmp?: { bytes?: unknown; encoding?: unknown } }[]) {
    if (typeof memcmp?.bytes !== 'string' || memcmp.encoding === 'base64') continue;
    const index = memcmp.bytes.search(NO_BASE58);
    if (index < 0) continue;
    const character = memcmp.bytes[index];
    const reason = `Base58DecodeError(InvalidCharacter { character: '${character}', index: ${index} })`;
    throw invalidParams(`Invalid param: ${reason}`);
  }
}

/** Parameter checks by method. `params` are those of the original request. */
const checks: Readonly<Record<string, (params: readonly unknown[]) => void>> = {
  getAccountInfo: ([address]) => checkAddress(address),
  getBalance: ([address]) => checkAddress(address),
  getBlockProduction: (params) => checkAddress(configOf(params, 0).identity),
  getInflationReward: ([addresses]) => {
    for (const address of Array.isArray(addresses) ? addresses : []) checkAddress(address);
  },
  getLeaderSchedule: (params) => checkAddress(configOf(params, 1).identity ?? configOf(params, 0).identity),
  getMultipleAccounts: ([addresses]) => {
    for (const address of listOf(addresses, MAX_ACCOUNTS)) checkAddress(address);
  },
  getProgramAccounts: (params) => {
    checkAddress(params[0]);
    checkFilters(configOf(params, 1).filters);
  },
  getRecentPerformanceSamples: ([limit]) => {
    if (Number(limit) > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
  },
  getRecentPrioritizationFees: ([addresses]) => {
    for (const address of listOf(addresses, MAX_LOCKED_ACCOUNTS)) checkAddress(address);
  },
  getSignatureStatuses: ([signatures]) => {
    for (const signature of listOf(signatures, MAX_SIGNATURES)) checkSignature(signature);
  },
  getSignaturesForAddress: (params) => {
    const { before, until, limit } = configOf(params, 1);
    checkAddress(params[0]);
    checkSignature(before);
    checkSignature(until);
    if (limit === 0 || Number(limit ?? 1) > MAX_LISTED_SIGNATURES)
      throw invalidParams(`Invalid limit; max ${MAX_LISTED_SIGNATURES}`);
  },
  getTransaction: ([signature]) => checkSignature(signature),
  getVoteAccounts: (params) => checkAddress(configOf(params, 0).votePubkey),
};

/** Checks the parameters. @throws {RuntimeRpcError} if Agave would refuse them. */
export function checkParameters(
  method: string,
  params: readonly unknown[],
  { slot, finalizedSlot }: SlotPosition,
): void {
  checks[method]?.(params);
  const at = configPositionOf(method);
  if (at === undefined) return;
  const { minContextSlot } = configOf(params, at);
  const contextSlot = isFinalized(method, params) ? finalizedSlot : slot;
  if (typeof minContextSlot !== 'number' || minContextSlot <= contextSlot) return;
  throw new RuntimeRpcError({
    code: -32_016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot },
  });
}
