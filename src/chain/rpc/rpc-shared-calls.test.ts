// Identical reads share one call. A caller that leaves does not affect the others, and no caller waits for an
// abandoned call.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcSharedCalls } from './rpc-shared-calls.ts';

const never = new AbortController().signal;

describe('RpcSharedCalls', () => {
  it('starts one call for any number of callers of a key, and a new one after that call has ended', async () => {
    const shared = new RpcSharedCalls();
    const { promise, resolve } = Promise.withResolvers<number>();
    let starts = 0;
    const call = () => {
      starts += 1;
      return promise;
    };
    const callers = Array.from({ length: 1_000 }, () => shared.run('slot', never, call));
    const other = shared.run('height', never, async () => 7);
    assert.deepEqual([starts, shared.size], [1, 2]);
    resolve(5);
    assert.deepEqual(new Set(await Promise.all(callers)), new Set([5]));
    assert.equal(await other, 7);
    assert.equal(shared.size, 0);
    await shared.run('slot', never, call);
    assert.equal(starts, 2);
  });

  it('a caller that leaves gets its own reason, and the others get their response', async () => {
    const shared = new RpcSharedCalls();
    const { promise, resolve } = Promise.withResolvers<string>();
    let canceled = false;
    const call = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => {
        canceled = true;
      });
      return promise;
    };
    const leaving = new AbortController();
    const left = shared.run('key', leaving.signal, call);
    const stayed = shared.run('key', never, call);
    leaving.abort(new Error('client went away'));
    await assert.rejects(left, /client went away/);
    resolve('answer');
    assert.equal(await stayed, 'answer');
    assert.equal(canceled, false);
  });

  it('cancels the request when its last caller leaves, and a later caller starts a new one', async () => {
    const shared = new RpcSharedCalls();
    const reasons: unknown[] = [];
    const hang = (signal: AbortSignal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    const [one, two] = [new AbortController(), new AbortController()];
    const waits = [shared.run('key', one.signal, hang), shared.run('key', two.signal, hang)];
    one.abort('one');
    assert.deepEqual(reasons, []);
    two.abort('two');
    assert.deepEqual(reasons, ['two']);
    assert.deepEqual(
      (await Promise.allSettled(waits)).map((w) => w.status === 'rejected' && w.reason),
      ['one', 'two'],
    );
    assert.equal(await shared.run('key', never, async () => 'again'), 'again');
  });

  it('a failure reaches every caller', async () => {
    const shared = new RpcSharedCalls();
    const call = () => Promise.reject(new Error('down'));
    const responses = await Promise.allSettled([shared.run('k', never, call), shared.run('k', never, call)]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });

  it('a caller whose signal is already aborted starts no call', async () => {
    const shared = new RpcSharedCalls();
    let starts = 0;
    const call = async () => {
      starts += 1;
    };
    await assert.rejects(shared.run('k', AbortSignal.abort(new Error('late')), call), /late/);
    assert.equal(starts, 0);
  });
});
