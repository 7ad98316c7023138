// A scan's response yields the accounts as they are on chain. Any other text is refused and never yields a
// wrong row.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { encodeBase58 } from '../../kernel/base58.ts';
import type { ChainAccount } from '../ports.ts';
import { NodeFailure, RpcError } from '../rpc/rpc-error.ts';
import { readScanResponse } from './read-scan-response.ts';

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const ID = 7;
const SLOT = 345_600_123;

interface Account {
  readonly pubkey: string;
  readonly lamports: bigint;
  readonly data: Buffer;
}

const accountsOf = (count: number, dataBytes: number, seed = 1): Account[] => {
  const random = seededRandom(seed);
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  return Array.from({ length: count }, (_, i) => ({
    pubkey: encodeBase58(i === 0 ? new Uint8Array(32) : bytes(32)),
    lamports: [0n, 1n, 2n ** 53n + 1n, 2n ** 64n - 1n, 5_000_000_000n][i % 5]!,
    data: bytes(dataBytes),
  }));
};

const rowText = ({ pubkey, lamports, data }: Account): string =>
  `{"account":{"data":["${data.toString('base64')}","base64"],"executable":false,"lamports":${lamports},` +
  `"owner":"${STAKE_PROGRAM}","rentEpoch":18446744073709551615,"space":200},"pubkey":"${pubkey}"}`;

const responseText = (accounts: readonly Account[], between = ','): string =>
  `{"jsonrpc":"2.0","result":{"context":{"apiVersion":"4.1.2","slot":${SLOT}},"value":[` +
  `${accounts.map(rowText).join(between)}]},"id":${ID}}`;

/** Yields the text in chunks of `length` characters, as they arrive on a connection. */
async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

const parse = async (text: string, chunk = 64, signal = new AbortController().signal) => {
  const rows: Account[] = [];
  let slot = -1;
  const sink = {
    onSlot: (it: number) => {
      slot = it;
    },
    onRow: ({ address, lamports, data }: ChainAccount) => {
      assert.notEqual(slot, -1, 'a row was passed on before the slot');
      rows.push({ pubkey: address, lamports, data: Buffer.from(data) });
    },
  };
  const read = await readScanResponse(inChunks(text, chunk), ID, sink, signal);
  assert.deepEqual(read, { slot, rows: rows.length });
  return rows;
};

const isFailure = (error: unknown) => error instanceof NodeFailure || error instanceof RpcError;
const refused = (text: string, what: string) => assert.rejects(parse(text), NodeFailure, what);

describe('readScanResponse', () => {
  for (const dataBytes of [0, 1, 2, 3, 196, 200]) {
    it(`rows with ${dataBytes} bytes of data equal the accounts on chain, and their amounts are exact to the lamport`, async () => {
      const accounts = accountsOf(6, dataBytes);
      assert.deepEqual(await parse(responseText(accounts)), accounts);
    });
  }

  it('chunks may end anywhere', async () => {
    const accounts = accountsOf(4, 5);
    const text = responseText(accounts);
    for (let chunk = 1; chunk < text.length; chunk += 1)
      assert.deepEqual(await parse(text, chunk), accounts, `chunks of ${chunk}`);
  });

  it('rows are passed on while the rest of the response is still arriving', async () => {
    const text = responseText(accountsOf(4, 5));
    const stop = new AbortController();
    let rows = 0;
    let given = 0;
    async function* body() {
      yield* inChunks(text.slice(0, -40), 64);
      given = rows;
      yield text.slice(-40);
    }
    const onRow = () => {
      rows += 1;
    };
    await readScanResponse(body(), ID, { onSlot: () => {}, onRow }, stop.signal);
    assert.deepEqual([given, rows], [3, 4]);
  });

  it('an empty list is a valid response', async () => {
    assert.deepEqual(await parse(responseText([])), []);
  });

  it('accepts fields in any order, whitespace and a provider’s extra fields', async () => {
    const [account] = accountsOf(2, 4).slice(1);
    const { pubkey, lamports, data } = account!;
    const text =
      ` {\n"id":${ID},"x":{"y":"]}"},"result":{"context":{"slot":${SLOT}},"value" : [ {"z":[1,{"a":[]},"[\\u007b"],
      "pubkey":"${pubkey}","account":{"extra":{},"owner":"${STAKE_PROGRAM}","lamports": ${lamports} ,"data":["${data.toString('base64')}","base64"]}} ]\t},"jsonrpc":"2.0"}`.replace(
        '"[\\u007b"',
        '"[{"',
      );
    assert.deepEqual(await parse(text), [account]);
  });

  it("an error response throws the node's error, even if it contains lists", async () => {
    const say = (error: string) => parse(`{"jsonrpc":"2.0","error":${error},"id":${ID}}`);
    await assert.rejects(
      say('{"code":-32010,"message":"excluded from account secondary indexes"}'),
      (e) => e instanceof RpcError && e.code === -32010 && e.lasting,
    );
    await assert.rejects(
      say('{"code":-32602,"message":"no","data":[{"a":[1]},[2]]}'),
      (e) => e instanceof RpcError && !e.worthAnotherNode,
    );
    await assert.rejects(
      say('{"code":429,"message":"slow down"}'),
      (e) => e instanceof NodeFailure && e.word === 'rate-limited',
    );
  });

  it('a response truncated anywhere is refused', async () => {
    const text = responseText(accountsOf(2, 5));
    for (let end = 0; end < text.length; end += 1) await refused(text.slice(0, end), `ends at ${end}`);
  });

  it('an invalid response is refused', async () => {
    const [account] = accountsOf(2, 6).slice(1);
    const row = rowText(account!);
    const list = (rows: string) => responseText([]).replace('"value":[', `"value":[${rows}`);
    for (const [what, text] of Object.entries({
      'trailing comma': list(`${row},`),
      'no comma': list(`${row}${row}`),
      'leading comma': list(`,${row}`),
      null: list('null'),
      number: list('1'),
      'rows before the context': `{"jsonrpc":"2.0","result":{"value":[${row}],"context":{"slot":1}},"id":7}`,
      'an empty list before the context':
        '{"jsonrpc":"2.0","result":{"value":[],"context":{"slot":1}},"id":7}',
      'no context': `{"jsonrpc":"2.0","result":[${row}],"id":7}`,
      'another id': responseText([account!]).replace('"id":7', '"id":8'),
      'no id': responseText([account!]).replace(',"id":7', ''),
      'slot as a string': responseText([account!]).replace(`${SLOT}`, '"1"'),
      'slot beyond the range of doubles': responseText([account!]).replace(`${SLOT}`, '99999999999999999999'),
      'trailing text': `${responseText([account!])}{}`,
      'another encoding': responseText([account!]).replace('"base64"', '"base58"'),
      'a short address': responseText([{ ...account!, pubkey: 'abc' }]),
      'an address of 33 bytes': responseText([{ ...account!, pubkey: `${'z'.repeat(44)}` }]),
      'a negative amount': responseText([account!]).replace('"lamports":1', '"lamports":-1'),
      'a fractional amount': responseText([account!]).replace('"lamports":1', '"lamports":1.5'),
      'an amount beyond 64 bits': responseText([account!]).replace(
        '"lamports":1',
        '"lamports":18446744073709551616',
      ),
      'an amount with a leading zero': responseText([account!]).replace('"lamports":1', '"lamports":01'),
      'an amount as a string': responseText([account!]).replace('"lamports":1', '"lamports":"1"'),
      'no address': responseText([account!]).replace('"pubkey"', '"key"'),
      'no data': responseText([account!]).replace('"data"', '"date"'),
      'base64 of the wrong length': responseText([account!]).replace('","base64"', 'A","base64"'),
      'mismatched brackets': responseText([account!]).replace('"space":200', '"space":[200}'),
      html: '<html>busy</html>',
      nothing: '',
    }))
      await refused(text, what);
  });

  it('an abort stops reading between two rows', async () => {
    const stop = new AbortController();
    const sink = { onSlot: () => {}, onRow: () => stop.abort(new Error('enough')) };
    await assert.rejects(
      readScanResponse(inChunks(responseText(accountsOf(2, 4)), 64), ID, sink, stop.signal),
      /enough/,
    );
  });

  it('each of 20,000 mutated responses is refused or yields rows of the right shape', async () => {
    const random = seededRandom(20_261_101);
    const pick = (below: number) => Math.floor(random() * below);
    const sane = Buffer.from(responseText(accountsOf(3, 12)));
    const outcomes = { refused: 0, read: 0 };
    for (let i = 0; i < 20_000; i += 1) {
      let bytes = Buffer.from(sane);
      for (let left = 1 + pick(3); left > 0; left -= 1) {
        const at = pick(bytes.length);
        const kind = pick(4);
        if (kind === 0) bytes[at] = pick(256);
        else if (kind === 1)
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + pick(20))]);
        else if (kind === 2)
          bytes = Buffer.concat([
            bytes.subarray(0, at),
            Buffer.from('"[{}],:\\'[pick(8)]!),
            bytes.subarray(at),
          ]);
        else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(pick(bytes.length))]);
      }
      try {
        for (const { data, lamports } of await parse(bytes.toString())) {
          assert.ok(data.length <= 200 && lamports >= 0n && lamports < 2n ** 64n);
        }
        outcomes.read += 1;
      } catch (error) {
        if (!isFailure(error)) throw error;
        outcomes.refused += 1;
      }
    }
    assert.ok(outcomes.refused > 10_000 && outcomes.read > 100, JSON.stringify(outcomes));
  });
});
