// Checks recorded responses of a real Agave validator (test/fixtures/agave-*): the service's schemas accept
// them, and the sandbox's responses have the same shape.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { type RecordedResponse, recordResponses } from '../../scripts/cluster/recorded-responses.ts';
import { accountNewsSchema, slotSchema } from '../../src/chain/index/index-feed.ts';
import { parseRpcJson } from '../../src/chain/rpc/rpc-response.ts';
import * as rpc from '../../src/chain/rpc/rpc-schemas.ts';
import { blockSchema } from '../../src/chain/submission/prove-never-landed.ts';
import * as validator from '../../src/chain/validator/validator-schemas.ts';
import { shapeDifferences, shapeOf } from '../support/response-shape.ts';

/**
 * Pattern of a known difference. The test fails if a difference matches no pattern, or a pattern matches no
 * difference.
 */
interface KnownDifference {
  readonly line: RegExp;
  readonly why: string;
}

/**
 * Remaining differences between the responses of the sandbox and Agave, as listed in sandbox/README.md. The
 * service reads none of these fields.
 */
const knownDifferences: readonly KnownDifference[] = [
  {
    line: /^getBlockProduction: ours: .*<key>: Agave list, sandbox absent$/,
    why: 'the sandbox has 72 leaders, and a test validator has only itself',
  },
  {
    line: /^getClusterNodes: all: result\[\]\.(pubsub|rpc): Agave string, sandbox null or string$/,
    why: "the sandbox's peers do not serve RPC",
  },
  {
    line: /\.transactionIndex: Agave number, sandbox absent$/,
    why: 'the runtime has no index of a transaction within its block',
  },
  {
    line: /^getTransaction: .*\.costUnits: Agave number, sandbox absent$/,
    why: 'the runtime does not count cost units',
  },
  {
    line: /^(program|signature)Subscribe: .*\.apiVersion: Agave absent, sandbox string$/,
    why: 'WebSocket frames are passed on as the runtime wrote them',
  },
  {
    line: /^(program|signature)Subscribe: no \w+: error\.message: /,
    why: 'WebSocket frames are passed on as the runtime wrote them',
  },
  {
    line: /^sendTransaction: .*\.(fee|loadedAccountsDataSize): Agave number, sandbox null$/,
    why: 'the runtime reports neither',
  },
  {
    line: /^sendTransaction: longer than a packet: error\.message: /,
    why: 'the runtime reads transactions of any length',
  },
  {
    line: /^simulateTransaction: .*\.(fee|loadedAddresses|(pre|post)(Token)?Balances)\b/,
    why: 'the runtime reports none of them',
  },
];

interface Recording {
  readonly method: string;
  readonly calls: readonly Omit<RecordedResponse, 'method'>[];
}

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const folders = readdirSync(fixtures).filter((name) => name.startsWith('agave-'));

const recordingsOf = (folder: string): readonly Recording[] =>
  readdirSync(join(fixtures, folder))
    .filter((name) => name !== 'about.json')
    .map((name) => parseRpcJson(readFileSync(join(fixtures, folder, name), 'utf8')) as Recording);

/** Schemas of the results, by method. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  getBlock: blockSchema,
  getBlockHeight: rpc.u64Schema,
  getBlockProduction: validator.blockProductionSchema,
  getBlockTime: validator.blockTimeSchema,
  getClusterNodes: validator.clusterNodesSchema,
  getEpochInfo: rpc.epochInfoSchema,
  getFirstAvailableBlock: rpc.u64Schema,
  getGenesisHash: rpc.addressSchema,
  getInflationRate: validator.inflationRateSchema,
  getInflationReward: validator.inflationRewardsSchema,
  getLatestBlockhash: rpc.latestBlockhashSchema,
  getLeaderSchedule: validator.leaderScheduleSchema,
  getMinimumBalanceForRentExemption: rpc.u64Schema,
  getMultipleAccounts: rpc.multipleAccountsSchema,
  getProgramAccounts: rpc.programAccountsSchema,
  getRecentPerformanceSamples: rpc.performanceSamplesSchema,
  getSignatureStatuses: rpc.signatureStatusesSchema,
  getSignaturesForAddress: rpc.signaturesForAddressSchema,
  getSlotLeader: rpc.addressSchema,
  getStakeMinimumDelegation: rpc.valueWithContextSchema,
  getSupply: validator.supplySchema,
  getTransaction: rpc.transactionSchema,
  getVoteAccounts: validator.voteAccountsSchema,
  sendTransaction: rpc.signatureSchema,
  simulateTransaction: rpc.simulationSchema,
};
const notices: Readonly<Record<string, z.ZodType>> = {
  slotSubscribe: slotSchema,
  programSubscribe: accountNewsSchema,
};

const sandboxResponses = async (): Promise<ReadonlyMap<string, RecordedResponse>> => {
  await using sandbox = await startSandbox({ slotMs: 20, epochSeconds: 0 });
  const { rpcUrl, wsUrl, voteAccount, identity } = sandbox;
  const responses = await recordResponses({
    rpcUrl,
    wsUrl,
    voteAccount,
    identity,
    nextEpoch: async () => {
      await sandbox.advanceEpochs(1);
    },
    frozen: async (_chain, run) => {
      await sandbox.holdEpochRewards(true);
      await run();
      await sandbox.holdEpochRewards(false);
    },
  });
  return new Map(responses.map((response) => [`${response.method}: ${response.name}`, response]));
};

describe('recorded responses of Agave', () => {
  it('include at least one version and every method that the service reads', () => {
    assert.ok(folders.length > 0);
    for (const folder of folders) {
      const recorded = new Set(recordingsOf(folder).map(({ method }) => method));
      assert.deepEqual(
        Object.keys({ ...schemas, ...notices }).filter((method) => !recorded.has(method)),
        [],
        folder,
      );
    }
  });

  for (const folder of folders) {
    it(`the service's schemas accept every response of ${folder}`, () => {
      for (const { method, calls } of recordingsOf(folder)) {
        for (const { name, answer: response, notification } of calls) {
          const { result, error } = response as {
            result?: unknown;
            error?: { code?: unknown; message?: unknown };
          };
          if (error !== undefined) {
            assert.equal(typeof error.code, 'number', `${method}: ${name}`);
            assert.equal(typeof error.message, 'string', `${method}: ${name}`);
          } else {
            const read = schemas[method]?.safeParse(result);
            assert.ok(read === undefined || read.success, `${method}: ${name}: ${read?.error?.message}`);
          }
          const noticed = notification === undefined ? undefined : notices[method]?.safeParse(notification);
          assert.ok(
            noticed === undefined || noticed.success,
            `${method}: ${name}: ${noticed?.error?.message}`,
          );
        }
      }
    });

    it(`the sandbox responds like ${folder}, except for the differences listed in its README`, async () => {
      const ours = await sandboxResponses();
      const found: string[] = [];
      for (const { method, calls } of recordingsOf(folder)) {
        for (const { name, answer: response, notification } of calls) {
          const call = `${method}: ${name}`;
          const own = ours.get(call);
          assert.ok(own, call);
          const compared = [
            ...shapeDifferences(shapeOf(response), shapeOf(own.answer)),
            ...shapeDifferences(shapeOf(notification ?? null), shapeOf(own.notification ?? null)),
          ];
          found.push(...compared.map((difference) => `${call}: ${difference}`));
        }
      }
      const isKnown = (difference: string): boolean =>
        knownDifferences.some(({ line }) => line.test(difference));
      assert.deepEqual(
        found.filter((difference) => !isKnown(difference)),
        [],
      );
      const gone = knownDifferences.filter(({ line }) => !found.some((difference) => line.test(difference)));
      assert.deepEqual(
        gone.map(({ why }) => why),
        [],
        'a difference that no longer exists must be removed from the list',
      );
    });
  }
});
