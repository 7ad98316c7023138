// The sandbox's HTTP control interface for state, airdrops, ending epochs, the EpochRewards window, rent, the
// validator and the network's load. Errors are typed JSON.

import { decodeAddress } from './base58.ts';
import { type BusyNetworkSettings, DEFAULT_BUSY_NETWORK } from './blocks/background-load.ts';
import type { ControlHandler } from './gateway/gateway.ts';
import type { Sandbox } from './sandbox-options.ts';

/** Maximum number of epochs that one request may end. */
const MAX_EPOCHS_PER_REQUEST = 100;

/**
 * Timeout of an airdrop. An airdrop takes at most one block on an idle machine, but the machine may be busy.
 * The service that forwards requests to this interface waits one minute.
 */
const AIRDROP_TIMEOUT_MS = 50_000;
const LAMPORTS_TEXT = /^[1-9][0-9]{0,18}$/;

/** A refused control request with its HTTP status and a machine-readable code. */
class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function fieldsOf(body: string): Record<string, unknown> {
  if (body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The check below reports this case like JSON that is not an object.
  }
  throw new ControlError(400, 'INVALID_BODY', 'The body must be a JSON object.');
}

function integerField(value: unknown, name: string, most: number, least = 1): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ControlError(400, 'INVALID_FIELD', `${name} must be an integer from ${least} to ${most}.`);
}

async function airdrop(sandbox: Sandbox, fields: Record<string, unknown>): Promise<unknown> {
  const { walletAddress, lamports } = fields;
  if (decodeAddress(walletAddress) === null) {
    throw new ControlError(400, 'INVALID_FIELD', 'walletAddress must be a base58 address.');
  }
  if (typeof lamports !== 'string' || !LAMPORTS_TEXT.test(lamports)) {
    throw new ControlError(
      400,
      'INVALID_FIELD',
      'lamports must be a positive whole number, passed as a string.',
    );
  }
  const signal = AbortSignal.timeout(AIRDROP_TIMEOUT_MS);
  try {
    return { signature: await sandbox.airdrop(walletAddress as string, BigInt(lamports), signal) };
  } catch (cause) {
    if (cause instanceof RangeError) throw new ControlError(400, 'INVALID_FIELD', cause.message);
    throw new ControlError(502, 'AIRDROP_FAILED', cause instanceof Error ? cause.message : String(cause));
  }
}

function booleanField(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ControlError(400, 'INVALID_FIELD', `${name} must be true or false.`);
}

async function validator(sandbox: Sandbox, fields: Record<string, unknown>): Promise<unknown> {
  const { commissionBps, votes, ticketLamports } = fields;
  const state = await sandbox.setValidator({
    ...(votes !== undefined && { votes: booleanField(votes, 'votes') }),
    ...(commissionBps !== undefined && {
      commissionBps: integerField(commissionBps, 'commissionBps', 10_000, 0),
    }),
    ...(ticketLamports !== undefined && {
      ticketLamports: BigInt(integerField(ticketLamports, 'ticketLamports', Number.MAX_SAFE_INTEGER, 0)),
    }),
  });
  return {
    ...state,
    ticketLamports: `${state.ticketLamports}`,
    balanceLamports: `${state.balanceLamports}`,
  };
}

const MAX_TRANSACTIONS_PER_BLOCK = 10_000;
const MAX_UNIT_PRICE = 1_000_000_000_000;
const MAX_UNIT_PRICES = 100;
const MAX_WAVE_BLOCKS = 1_000_000;
const MAX_SEED = 2 ** 32 - 1;

function pricesField(value: unknown, name: string): number[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_UNIT_PRICES)
    throw new ControlError(400, 'INVALID_FIELD', `${name} must be a list of 1 to ${MAX_UNIT_PRICES} prices.`);
  const prices = value.map((price) => integerField(price, name, MAX_UNIT_PRICE, 0));
  if (prices.some((price, index) => price < (prices[index - 1] ?? 0)))
    throw new ControlError(400, 'INVALID_FIELD', `${name} must not decrease.`);
  return prices;
}

const NETWORK_FIELDS: {
  readonly [Name in keyof BusyNetworkSettings]: (value: unknown) => BusyNetworkSettings[Name];
} = {
  transactionsPerBlock: (value) => integerField(value, 'transactionsPerBlock', MAX_TRANSACTIONS_PER_BLOCK),
  backgroundPerBlock: (value) => integerField(value, 'backgroundPerBlock', MAX_TRANSACTIONS_PER_BLOCK, 0),
  unitPrices: (value) => pricesField(value, 'unitPrices'),
  waveBlocks: (value) => integerField(value, 'waveBlocks', MAX_WAVE_BLOCKS),
  seed: (value) => integerField(value, 'seed', MAX_SEED, 0),
};

async function network(sandbox: Sandbox, fields: Record<string, unknown>): Promise<unknown> {
  const given = Object.entries(NETWORK_FIELDS)
    .filter(([name]) => fields[name] !== undefined)
    .map(([name, read]) => [name, read(fields[name])]);
  const isBusy = booleanField(fields.busy, 'busy');
  const { settings, waiting } = await sandbox.setBusyNetwork(
    isBusy ? { ...DEFAULT_BUSY_NETWORK, ...Object.fromEntries(given) } : null,
  );
  return { busy: settings !== null, waiting, ...settings };
}

type Route = (sandbox: Sandbox, fields: Record<string, unknown>) => unknown;

const ROUTES: Readonly<Record<string, Route>> = {
  'GET /control/state': (sandbox) => sandbox.state(),
  'POST /control/airdrop': airdrop,
  'POST /control/epoch': async (sandbox, { count = 1 }) => ({
    epoch: await sandbox.advanceEpochs(integerField(count, 'count', MAX_EPOCHS_PER_REQUEST)),
  }),
  'POST /control/epoch-rewards': async (sandbox, { hold }) => {
    const epochRewardsActive = booleanField(hold, 'hold');
    await sandbox.holdEpochRewards(epochRewardsActive);
    return { epochRewardsActive };
  },
  'POST /control/validator': validator,
  'POST /control/network': network,
  'POST /control/rent': async (sandbox, { lamportsPerByte }) => {
    await sandbox.setRent(BigInt(integerField(lamportsPerByte, 'lamportsPerByte', 1_000_000)));
    return { lamportsPerByte };
  },
};

/** Creates the handler of one sandbox. The sandbox may still be starting, so each request calls `sandboxOf`. */
export function controlHandler(sandboxOf: () => Sandbox): ControlHandler {
  return async (method, path, body) => {
    try {
      const route = ROUTES[`${method} ${path}`];
      if (route === undefined) {
        const known = Object.keys(ROUTES).some((key) => key.endsWith(` ${path}`));
        throw new ControlError(
          known ? 405 : 404,
          known ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND',
          `No ${method} ${path} here.`,
        );
      }
      return { status: 200, body: await route(sandboxOf(), fieldsOf(body)) };
    } catch (cause) {
      if (cause instanceof ControlError) {
        return { status: cause.status, body: { error: { code: cause.code, message: cause.message } } };
      }
      const message = cause instanceof Error ? cause.message : String(cause);
      return { status: 500, body: { error: { code: 'INTERNAL', message } } };
    }
  };
}
