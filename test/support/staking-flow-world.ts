// The client's staking flow against scripted responses of a service. Records what was approved, signed, stored
// and reported.
import type { TestContext } from 'node:test';
import type { ClientClock } from '../../client/client-clock.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { newRecord, type TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { carryOut, type StakingPorts } from '../../client/staking/run-staking-flow.ts';
import { type StakingRequest, stakingService } from '../../client/staking/staking-request.ts';
import type { ApprovalReason } from '../../client/staking/staking-states.ts';
import { verifyEffects, verifyRequest } from '../../client/staking/verify-against-request.ts';
import { takeApart, withSignature } from '../../client/staking/wire-signatures.ts';
import { toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { type ScriptedResponse, startScriptedService } from '../client/scripted-service.ts';
import { signer, VOTE_ACCOUNT } from './honest-responses.ts';

/** Approves and signs everything, unless the ports of a run replace that. */
export const startFlow = async (
  t: TestContext,
  responses: readonly ScriptedResponse[],
  { retries = 0, clock }: { readonly retries?: number; readonly clock?: ClientClock } = {},
) => {
  const service = await startScriptedService(t, responses);
  const client = createHoldfastClient({ baseUrl: service.url, retries, clock });
  /** The signed messages, in base64. */
  const signed: string[] = [];
  const asked: {
    readonly why: ApprovalReason['why'] | 'again';
    readonly following: Prepared['following'];
  }[] = [];
  const states: string[] = [];
  const stored: TransactionRecord[] = [];
  const removed: TransactionRecord[] = [];
  const sign = (transaction: Uint8Array) => {
    const { message } = takeApart(transaction);
    signed.push(toBase64(message));
    return {
      how: 'signed' as const,
      bytes: withSignature(transaction, signer.walletAddress, signer.sign(message)),
    };
  };
  const run = (
    request: StakingRequest,
    ports: Partial<StakingPorts> = {},
    record: Partial<TransactionRecord> = {},
  ) =>
    carryOut(
      {
        ...newRecord(request, {
          cluster: 'test',
          voteAccount: VOTE_ACCOUNT,
          idempotencyKey: 'key',
          begunAtMs: 0,
        }),
        ...record,
      },
      {
        service: stakingService(client),
        verify: verifyRequest,
        verifyEffects,
        binding: { voteAccount: VOTE_ACCOUNT, memo: 'stake.example' },
        sign,
        approve: async ({ following }, { why }) => {
          asked.push({ why, following });
          return 'sign';
        },
        approveDespiteOpenSignature: async ({ following }) => {
          asked.push({ why: 'again', following });
          return 'sign';
        },
        store: {
          save: (saved) => void stored.push(saved),
          saveIfPossible: (saved) => void stored.push(saved),
          remove: (done) => void removed.push(done),
        },
        onState: ({ name }) => void states.push(name),
        now: () => 0,
        sleep: async () => undefined,
        signal: new AbortController().signal,
        mostAttempts: 1,
        ...ports,
      },
    );
  return {
    service,
    run,
    sign,
    signed,
    asked,
    states,
    stored,
    removed,
    paths: () => service.seen.map(({ url }) => url.slice('/api/v1'.length)),
    keys: () => service.seen.map(({ headers }) => headers['idempotency-key']),
  };
};
