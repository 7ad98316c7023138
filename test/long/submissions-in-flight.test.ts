// Checks on the real runtime that a submission has the outcome that the chain shows, whether or not callers
// wait and whatever the nodes claim.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import {
  fetchNonce,
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import { request } from 'undici';
import type { Submission } from '../../src/chain/ports.ts';
import { latestBlockhashCall } from '../../src/chain/rpc/rpc-calls.ts';
import { createRpcPool, type RpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { FOREIGN_LIFE_BLOCKS } from '../../src/chain/submission/prove-never-landed.ts';
import { createSubmitter, type SubmitterOptions } from '../../src/chain/submission/submissions-in-flight.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { until } from '../support/index-fixture.ts';
import { patience } from '../support/patience.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import {
  type Script,
  type ScriptedResponse,
  type ScriptedRpc,
  startScriptedRpc,
} from '../support/scripted-rpc.ts';
import { signSubmission } from '../support/signed-submission.ts';

const logger = createLogger('silent');
const SOL = 1_000_000_000n;
const NONCE_BYTES = 80n;

describe('Submitter on the real runtime', () => {
  const shared = sharedSandbox({ before, after }, { slotMs: 10 });
  let signal: AbortSignal;
  let staker: SandboxStaker;
  let payer: KeyPairSigner;
  let direct: RpcPool;
  let opened: (() => unknown)[] = [];

  before(async () => {
    staker = await SandboxStaker.fund(shared.get(), 10_000n * SOL);
    payer = staker.wallet;
    direct = openPool([shared.get().rpcUrl]);
  });
  after(() => direct.close());
  beforeEach(() => {
    signal = patience();
    opened = [];
  });
  afterEach(async () => {
    for (const close of opened.toReversed()) await close();
  });

  const openPool = (urls: readonly string[], sendUrl?: string) =>
    createRpcPool({
      urls,
      timeoutMs: 1_000,
      maxConcurrent: 16,
      clock,
      logger,
      ...(sendUrl ? { sendUrl } : {}),
    });

  /** Creates a submitter that uses these URLs, by default over its own connection to the sandbox. */
  const open = (urls?: readonly string[], options: Partial<SubmitterOptions> & { sendUrl?: string } = {}) => {
    const { sendUrl, ...rest } = options;
    const pool = openPool(urls ?? [shared.get().rpcUrl], sendUrl);
    const submitter = createSubmitter({ pool, wsUrls: [shared.get().wsUrl], clock, logger, ...rest });
    opened.push(() => pool.close(), submitter.close);
    return submitter;
  };

  const passOn = async (method: string, params: readonly unknown[]): Promise<ScriptedResponse> => {
    const { body } = await request(shared.get().rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { id: _ours, ...response } = (await body.json()) as { id: number; result: unknown };
    return response;
  };

  /** Starts a node that forwards everything except the requests that `change` answers. */
  const node = async (
    change: (...asked: Parameters<Script>) => ScriptedResponse | undefined,
  ): Promise<ScriptedRpc> => {
    const opening = await startScriptedRpc((asked) => change(asked) ?? passOn(asked.method, asked.params));
    opened.push(() => opening[Symbol.asyncDispose]());
    return opening;
  };

  const recentBlockhash = async () => (await direct.call(latestBlockhashCall('confirmed'), { signal })).value;

  const transfer = async (lamports = SOL, from = payer): Promise<Submission & { to: Address }> => {
    const { address: to } = await generateKeyPairSigner();
    const instruction = getTransferSolInstruction({ source: from, destination: to, amount: lamports });
    return { ...(await signSubmission(from, await recentBlockhash(), [instruction])), to };
  };

  const held = async (address: Address) => {
    const { accounts } = await createSolanaReads(direct).accounts([address], { signal });
    return accounts[0]?.lamports ?? 0n;
  };
  const landed = async ({ signature }: Submission) => {
    const { statuses } = await createSolanaReads(direct).signatureStatuses([signature], {
      signal,
      searchHistory: true,
    });
    return statuses[0] ?? null;
  };

  it('a submission is confirmed, with its slot on the chain', async () => {
    const submission = await transfer();
    const outcome = await open().submit(submission, signal);
    assert.deepEqual(outcome, { kind: 'confirmed', slot: (await landed(submission))!.slot });
    assert.equal(await held(submission.to), SOL);
  });

  it('a submission is confirmed by polling alone, with no socket or with a dead one', async () => {
    for (const wsUrls of [[], ['ws://127.0.0.1:1']]) {
      assert.equal((await open(undefined, { wsUrls }).submit(await transfer(), signal)).kind, 'confirmed');
    }
  });

  it('a submission is refused with the program’s error and logs, and is not on the chain', async () => {
    const submission = await transfer(1_000_000n * SOL);
    const outcome = await open().submit(submission, signal);
    assert.ok(outcome.kind === 'refused');
    assert.deepEqual(outcome.error, { InstructionError: [0, { Custom: 1 }] });
    assert.match(outcome.logs.join('\n'), /insufficient lamports/);
    assert.equal(await landed(submission), null);
  });

  it('a transaction whose blockhash no node knows is refused after a while, without being sent', async () => {
    const unknown = { blockhash: payer.address as string, lastValidBlockHeight: 1_000_000n };
    const submission = await signSubmission(payer, unknown, []);
    assert.deepEqual(await open().submit(submission, signal), {
      kind: 'refused',
      error: 'BlockhashNotFound',
      logs: [],
    });
  });

  it('a transaction whose blockhash a lagging node does not know yet is submitted again', async () => {
    let refusals = 2;
    const lagging = await node(({ method }) => {
      if (method !== 'sendTransaction' || refusals-- <= 0) return undefined;
      return {
        error: { code: -32002, message: 'Blockhash not found', data: { err: 'BlockhashNotFound', logs: [] } },
      };
    });
    assert.equal((await open([lagging.url]).submit(await transfer(), signal)).kind, 'confirmed');
    assert.ok(refusals < 0);
  });

  it('the same transaction is sent again until it lands, without a second preflight', async () => {
    const sent: unknown[] = [];
    const lossy = await node(({ method, params }) => {
      if (method !== 'sendTransaction') return undefined;
      sent.push(params);
      return sent.length === 1 ? { result: submission.signature } : undefined;
    });
    // With blocks of 10 ms, a blockhash expires after 1.5 s, before the second send. A durable nonce stays
    // valid.
    const submission = await nonceTransfer();
    assert.equal((await open([lossy.url]).submit(submission, signal)).kind, 'confirmed');
    const [first, second] = sent as [string, { skipPreflight: boolean }][];
    assert.equal(second![0], first![0]);
    assert.deepEqual([first![1].skipPreflight, second![1].skipPreflight], [false, true]);
  });

  it('a submission that a node accepted and lost is proven expired, and the chain agrees', async () => {
    const swallowing = await node(({ method }) =>
      method === 'sendTransaction' ? { result: submission.signature } : undefined,
    );
    const submission = await transfer();
    assert.deepEqual(await open([swallowing.url]).submit(submission, signal), { kind: 'expired' });
    assert.deepEqual([await landed(submission), await held(submission.to)], [null, 0n]);
  });

  it('a submission is still confirmed if the node’s response is lost after it accepted the transaction', async () => {
    const losing = await node(({ method, params }) => {
      if (method !== 'sendTransaction') return undefined;
      passOn(method, params).catch(() => undefined);
      return 'reset';
    });
    const submission = await transfer();
    assert.equal((await open([losing.url]).submit(submission, signal)).kind, 'confirmed');
  });

  it('a submission refused after a lost response is not reported as refused, but proven expired', async () => {
    let sends = 0;
    const unsure = await node(({ method }) =>
      method === 'sendTransaction' && sends++ === 0 ? 'reset' : undefined,
    );
    const submission = await transfer(1_000_000n * SOL);
    assert.deepEqual(await open([unsure.url]).submit(submission, signal), { kind: 'expired' });
    assert.equal(await landed(submission), null, 'the failing transaction is not on the chain');
  });

  it('a submission refused once after a lost response, as at an epoch boundary, is submitted again and lands', async () => {
    const responses: (ScriptedResponse | undefined)[] = [
      'reset',
      {
        error: {
          code: -32_002,
          message: 'Transaction simulation failed',
          data: { err: { InstructionError: [2, { Custom: 16 }] }, logs: [] },
        },
      },
    ];
    const freezing = await node(({ method }) =>
      method === 'sendTransaction' ? responses.shift() : undefined,
    );
    const submission = await nonceTransfer();
    assert.equal((await open([freezing.url]).submit(submission, signal)).kind, 'confirmed');
    assert.equal(freezing.count('sendTransaction') >= 3, true);
  });

  it('a transaction that an earlier process may have sent is never reported as refused', async () => {
    const submission = { ...(await transfer(1_000_000n * SOL)), maybeSentBefore: true };
    assert.deepEqual(await open().submit(submission, signal), { kind: 'expired' });
  });

  it('a transaction that has already landed is found and not sent', async () => {
    const submission = await transfer();
    const submitter = open();
    const outcome = await submitter.submit(submission, signal);
    const watching = await node(() => undefined);
    const later = open([watching.url]);
    assert.deepEqual(await later.submit({ ...submission, maybeSentBefore: true }, signal), outcome);
    assert.equal(watching.count('sendTransaction'), 0);
    assert.deepEqual(
      await submitter.submit(submission, signal),
      outcome,
      'AlreadyProcessed is not a refusal',
    );
  });

  it('a transaction that landed is confirmed even if every node refuses it', async () => {
    const submission = await transfer();
    const outcome = await open().submit(submission, signal);
    const err = { InstructionError: [0, { Custom: 1 }] };
    const refusing = await node(({ method }) =>
      method === 'sendTransaction'
        ? { error: { code: -32_002, message: 'Transaction simulation failed', data: { err, logs: [] } } }
        : undefined,
    );
    assert.deepEqual(await open([refusing.url]).submit(submission, signal), outcome);
  });

  it('a transaction that was sent before and is only processed does not yet count as confirmed', async () => {
    const submission = await transfer();
    const { slot } = await open()
      .submit(submission, signal)
      .then((one) => one as { slot: bigint });
    let asked = 0;
    const early = await node(({ method }) => {
      if (method !== 'getSignatureStatuses' || asked++ > 0) return undefined;
      const status = { slot: Number(slot) + 5, confirmations: 0, err: null, status: { Ok: null } };
      const value = [{ ...status, confirmationStatus: 'processed' }];
      return { result: { context: { slot: Number(slot) + 5 }, value } };
    });
    const outcome = await open([early.url]).submit({ ...submission, maybeSentBefore: true }, signal);
    assert.deepEqual(outcome, { kind: 'confirmed', slot });
    assert.ok(asked > 1);
  });

  it('callers with the same signature share one submission, which continues if one of them leaves', async () => {
    const watching = await node(() => undefined);
    const submitter = open([watching.url]);
    const submission = await transfer();
    const leaving = new AbortController();
    const left = submitter.submit(submission, leaving.signal);
    const stayed = [submitter.submit(submission, signal), submitter.submit(submission, signal)];
    assert.equal(submitter.inFlight, 1);
    leaving.abort(new Error('client went away'));
    await assert.rejects(left, /client went away/);
    const [one, two] = await Promise.all(stayed);
    assert.deepEqual([one!.kind, two], ['confirmed', one]);
    assert.equal(watching.requests.filter((r) => r.params[1]?.skipPreflight === false).length, 1);
    assert.equal(submitter.inFlight, 0);
  });

  it('a submission continues after its only caller has left', async () => {
    const submitter = open();
    const submission = await transfer();
    const leaving = new AbortController();
    submitter.submit(submission, leaving.signal).catch(() => undefined);
    leaving.abort(new Error('client went away'));
    await until(() => submitter.inFlight === 0, 'the submission ended');
    assert.notEqual(await landed(submission), null);
  });

  it('close ends waiting calls with SHUTTING_DOWN', async () => {
    const silent = await node(({ method }) => (method === 'getSignatureStatuses' ? 'silence' : undefined));
    const submitter = open([silent.url], { wsUrls: [] });
    const waiting = submitter.submit(await transfer(), signal);
    waiting.catch(() => undefined);
    submitter.close();
    await assert.rejects(waiting, (error) => isAppError(error, 'SHUTTING_DOWN'));
  });

  it('a submission fails with UPSTREAM_UNAVAILABLE if no node is reachable and nothing was sent', async () => {
    const gone = await node(() => undefined);
    const submission = await transfer();
    await gone.down();
    await assert.rejects(open([gone.url]).submit(submission, signal), (error) =>
      isAppError(error, 'UPSTREAM_UNAVAILABLE'),
    );
    assert.equal(await landed(submission), null);
  });

  it('with a sending URL, the reading nodes only simulate and never send', async () => {
    const [reading, sending] = [await node(() => undefined), await node(() => undefined)];
    const submitter = open([reading.url], { sendUrl: sending.url });
    assert.equal((await submitter.submit(await transfer(), signal)).kind, 'confirmed');
    assert.equal((await submitter.submit(await transfer(1_000_000n * SOL), signal)).kind, 'refused');
    assert.deepEqual([reading.count('sendTransaction'), reading.count('simulateTransaction')], [0, 2]);
    assert.deepEqual([sending.count('sendTransaction'), sending.count('getSignatureStatuses')], [1, 0]);
  });

  it('settle only reads and never sends: it reports open, then confirmed or expired, and unresolved without an RPC node', async () => {
    const watching = await node(() => undefined);
    const submitter = open([watching.url]);
    const [sent, unsent] = [await transfer(), await transfer(2n * SOL)];
    assert.equal(await submitter.settle(unsent, signal), null);
    const outcome = await open().submit(sent, signal);
    assert.deepEqual(await submitter.settle(sent, signal), outcome);
    let settled = await submitter.settle(unsent, signal);
    while (settled === null) {
      await shared.get().nextBlock(signal);
      settled = await submitter.settle(unsent, signal);
    }
    assert.deepEqual(settled, { kind: 'expired' });
    assert.equal(watching.count('sendTransaction'), 0);
    await watching.down();
    assert.deepEqual(await submitter.settle(unsent, signal), { kind: 'unresolved' });
  });

  /** Creates a nonce account for the payer and returns its value. */
  const createNonce = async () => {
    const account = await generateKeyPairSigner();
    await staker.send([
      getCreateAccountInstruction({
        payer,
        newAccount: account,
        lamports: SOL,
        space: NONCE_BYTES,
        programAddress: SYSTEM_PROGRAM_ADDRESS,
      }),
      getInitializeNonceAccountInstruction({ nonceAccount: account.address, nonceAuthority: payer.address }),
    ]);
    const { data } = await fetchNonce(staker.rpc, account.address, { commitment: 'confirmed' });
    return { nonceAccount: account.address, nonce: data.blockhash as string };
  };
  const nonceTransfer = async () => {
    const { address: to } = await generateKeyPairSigner();
    const instruction = getTransferSolInstruction({ source: payer, destination: to, amount: SOL });
    const signed = await signSubmission(payer, await createNonce(), [instruction]);
    const height = await staker.rpc.getBlockHeight({ commitment: 'confirmed' }).send();
    return { ...signed, lastValidBlockHeight: height + FOREIGN_LIFE_BLOCKS };
  };

  it('a durable-nonce transaction is confirmed, or expires only once its nonce has advanced', async () => {
    const confirmed = await nonceTransfer();
    assert.equal((await open().submit(confirmed, signal)).kind, 'confirmed');
    const lost = await nonceTransfer();
    const submitter = open();
    for (let block = 0; block < 160; block += 1) await shared.get().nextBlock(signal);
    assert.equal(await submitter.settle(lost, signal), null, 'a block height never ends the submission');
    const nonceAccount = lost.nonce!.account;
    // The advance must not be the first instruction, because that would make this transaction a durable-nonce
    // transaction.
    await staker.send([
      getTransferSolInstruction({ source: payer, destination: payer.address, amount: 1n }),
      getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: payer }),
    ]);
    let settled = await submitter.settle(lost, signal);
    while (settled === null) {
      await shared.get().nextBlock(signal);
      settled = await submitter.settle(lost, signal);
    }
    assert.deepEqual(settled, { kind: 'expired' });
  });
});
