// TX-3: mutated transactions are refused with a reason or recognized as foreign. None crashes the parser or is
// mistaken for a different transaction.
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Address } from '@solana/kit';
import { type HttpClient, Refusal } from '../../demo/http-client.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import {
  type BuiltTransaction,
  buildTransaction,
  encodeWire,
} from '../../src/chain/transactions/transaction.ts';
import { fromBase64, toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../../src/chain/transactions/wire-transaction.ts';
import { recognizeTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { patience } from '../support/patience.ts';
import { type RpcCounter, startRpcCounter } from '../support/rpc-counter.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { fundedWallet } from '../support/wallets.ts';

const CASES = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 250;

/** Creates a small seeded generator (mulberry32), so failures can be reproduced. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

interface Party {
  readonly address: Address;
  readonly key: KeyObject;
}

const party = (tag: number): Party => {
  const key = createPrivateKey({
    format: 'raw-private',
    key: Buffer.alloc(32, tag),
    asymmetricKeyType: 'ed25519',
  } as never);
  return {
    key,
    address: encodeBase58(createPublicKey(key).export({ format: 'raw-public' } as never) as never) as Address,
  };
};
const [wallet, stake, vote, donation] = [party(1), party(2), party(3), party(4)] as [
  Party,
  Party,
  Party,
  Party,
];
const parties = [wallet, stake, vote, donation];
const expected = { voteAccount: vote.address, donationAddress: donation.address, memo: 'holdfast.example' };

const common = { wallet: wallet.address, memo: expected.memo, blockhash: party(5).address };
const originals = {
  stake: buildTransaction.stake({
    ...common,
    stakeAccount: stake.address,
    voteAccount: vote.address,
    lamports: 3_000_000_000n,
  }),
  unstake: buildTransaction.unstake({ ...common, stakeAccount: stake.address }),
  restake: buildTransaction.restake({
    ...common,
    stakeAccount: stake.address,
    voteAccount: vote.address,
  }),
  withdraw: buildTransaction.withdraw({ ...common, stakeAccount: stake.address, lamports: 77n }),
  donate: buildTransaction.donate({ ...common, donationAddress: donation.address, lamports: 1_000_000n }),
};
const kinds = Object.keys(originals) as (keyof typeof originals)[];

/** Signs message bytes with every test key, so a mutated message can be refused only for its content. */
const signAll = (transaction: Pick<BuiltTransaction, 'messageBytes' | 'requiredSigners'>): Uint8Array =>
  encodeWire(
    transaction,
    new Map(
      transaction.requiredSigners.map((signer) => {
        const known = parties.find(({ address }) => address === signer);
        return [signer, known ? sign(null, transaction.messageBytes, known.key) : null];
      }),
    ),
  );

const wires = Object.fromEntries(kinds.map((kind) => [kind, signAll(originals[kind])])) as Record<
  keyof typeof originals,
  Uint8Array
>;

/**
 * Parses a transaction as submit does. Returns null if it is refused as invalid, otherwise the recognized
 * kind and whether every signature is valid.
 */
const read = (wire: Uint8Array) => {
  try {
    const decoded = decodeWire(fromBase64(toBase64(wire)));
    const { missing, invalid } = verifySignatures(decoded);
    const seen = recognizeTransaction(decoded, expected);
    assert.ok(decoded.networkFeeLamports >= 5_000n);
    return { decoded, seen, signed: missing.length === 0 && invalid.length === 0 };
  } catch (error) {
    assert.ok(isAppError(error, 'INVALID_TRANSACTION'), `unexpected ${error}`);
    return null;
  }
};

type Mutation = (bytes: Buffer, random: (below: number) => number) => Buffer;

const mutations: Record<string, Mutation> = {
  'flips a bit': (bytes, random) => {
    bytes[random(bytes.length)]! ^= 1 << random(8);
    return bytes;
  },
  'replaces a byte with an extreme value': (bytes, random) => {
    bytes[random(bytes.length)] = [0, 1, 0x7f, 0x80, 0x81, 0xff][random(6)]!;
    return bytes;
  },
  'cuts the end': (bytes, random) => bytes.subarray(0, random(bytes.length)),
  'appends bytes': (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + random(900), random(256))]),
  'repeats a part': (bytes, random) => {
    const [from, length] = [random(bytes.length), random(80)];
    return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)]);
  },
  'removes a part': (bytes, random) => {
    const from = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random(80))]);
  },
  'swaps two keys': (bytes, random) => {
    const [a, b] = [random(bytes.length - 32), random(bytes.length - 32)];
    const held = Buffer.from(bytes.subarray(a, a + 32));
    bytes.copy(bytes, a, b, b + 32);
    held.copy(bytes, b);
    return bytes;
  },
  'mixes with noise': (bytes, random) => {
    for (let left = random(40); left >= 0; left -= 1) bytes[random(bytes.length)] = random(256);
    return bytes;
  },
};
const names = Object.keys(mutations);

describe(`TX-3: ${CASES} mutated transactions`, () => {
  test('the unmutated transactions are recognized as the service’s own and as signed, so a refusal of a mutated one is due to the mutation', () => {
    for (const kind of kinds) {
      const result = read(wires[kind]);
      assert.deepEqual([result?.seen.kind, result?.seen.ok, result?.signed], [kind, true, true]);
    }
  });

  test('changed bytes are refused as invalid or make a signature invalid', () => {
    const random = randomFrom(1);
    for (let i = 0; i < CASES; i += 1) {
      const original = wires[kinds[random(kinds.length)]!];
      const name = names[random(names.length)]!;
      const mutated = mutations[name]!(Buffer.from(original), random);
      if (Buffer.compare(mutated, original) === 0) continue;
      const result = read(mutated);
      assert.ok(result === null || !result.signed, `case ${i}, ${name}: passes as signed`);
    }
  });

  test('a changed message that is signed again passes only if it has exactly the effects of an original transaction', () => {
    let stillOurs = 0;
    const random = randomFrom(2);
    for (let i = 0; i < CASES; i += 1) {
      const kind = kinds[random(kinds.length)]!;
      const original = originals[kind];
      const name = names[random(names.length)]!;
      const messageBytes = mutations[name]!(Buffer.from(original.messageBytes), random);
      const result = read(signAll({ messageBytes, requiredSigners: original.requiredSigners }));
      if (!result?.seen.ok) continue;
      stillOurs += 1;
      // An accepted transaction may differ in blockhash, amount and stake account. Rebuilding it from the
      // recognized parts must produce the same bytes.
      const { seen, decoded } = result;
      const again = rebuild(seen.kind, {
        wallet: seen.wallet,
        memo: expected.memo,
        blockhash: decoded.blockhash,
        stakeAccount: seen.stakeAccount ?? wallet.address,
        lamports: seen.lamports ?? 0n,
      });
      const facts = (instructions: readonly { data: unknown }[]) => instructions.map(({ data }) => data);
      assert.deepEqual(
        facts(decoded.instructions),
        facts(again.instructions),
        `case ${i}, ${name}: accepted but not ours`,
      );
      assert.deepEqual(decoded.requiredSigners, again.requiredSigners);
    }
    assert.ok(
      stillOurs > CASES / 100 && stillOurs < CASES / 2,
      `${stillOurs} of ${CASES} mutations were harmless`,
    );
  });
});

describe(`TX-3: ${CASES} mutated transactions sent to submit`, () => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
  let sandbox: Sandbox;
  let rpc: RpcCounter;
  /** `client` submits any transaction, and `ownOnly` submits only transactions with the service's memo. */
  let client: HttpClient;
  let ownOnly: HttpClient;
  before(async () => {
    sandbox = await startSandbox(QUICK_SANDBOX);
    cleanUps.push(() => sandbox.close());
    rpc = await startRpcCounter(sandbox.rpcUrl);
    cleanUps.push(() => rpc.close());
    const settings = settingsFor({ ...sandbox, rpcUrl: rpc.url });
    ({ client } = await startServiceHere(scope, { ...settings, HOLDFAST_SUBMIT: 'any' }));
    ({ client: ownOnly } = await startServiceHere(scope, { ...settings, HOLDFAST_SUBMIT: 'own' }));
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  interface Answer {
    /** `200`, or the status and the error code of a refusal. */
    readonly outcome: string;
    readonly signature?: string;
    /** Number of times that either service sent exactly these bytes to the RPC. */
    readonly sends: number;
  }
  const submit = async (wire: Uint8Array, to: HttpClient = client): Promise<Answer> => {
    const text = toBase64(wire);
    const answer = await to
      .post('/api/v1/transaction/submit', { signedTransaction: text })
      .catch((error: Refusal) => error);
    const sends = rpc.asked('sendTransaction', text);
    return answer instanceof Refusal
      ? { outcome: `${answer.status} ${answer.errorCode}`, sends }
      : { outcome: '200', signature: answer.signature, sends };
  };
  const counted = (outcomes: readonly string[]) =>
    Object.fromEntries(
      [...new Set(outcomes)]
        .sort()
        .map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]),
    );

  test('changed bytes always return a client error and are never sent', async (t) => {
    const random = randomFrom(3);
    const outcomes: string[] = [];
    const runner = async (): Promise<void> => {
      while (outcomes.length < CASES) {
        const original = wires[kinds[random(kinds.length)]!];
        const mutated = mutations[names[random(names.length)]!]!(Buffer.from(original), random);
        if (Buffer.compare(mutated, original) !== 0) outcomes.push((await submit(mutated)).outcome);
      }
    };
    await Promise.all(Array.from({ length: 8 }, runner));
    t.diagnostic(JSON.stringify(counted(outcomes)));
    const callersFault = ['400 INVALID_TRANSACTION', '400 VALIDATION_ERROR'];
    assert.deepEqual(
      outcomes.filter((outcome) => !callersFault.includes(outcome)),
      [],
    );
    assert.equal(rpc.asked('sendTransaction'), 0);
  });

  test('changed content that only the wallet signs again never reaches the chain, because the stake account’s signature no longer matches', async (t) => {
    const random = randomFrom(4);
    const outcomes: string[] = [];
    const total = Math.ceil(CASES / 10);
    const runner = async (): Promise<void> => {
      const payer = await fundedWallet(sandbox, 100);
      while (outcomes.length < total) {
        const built = await client.post('/api/v1/stake/transaction', {
          walletAddress: payer.walletAddress,
          amountSol: 2,
          cosign: 'now',
        });
        const wire = Buffer.from(built.transaction, 'base64');
        const messageAt = 1 + 64 * wire[0]!;
        const changed = wire.subarray(messageAt);
        // Only the instructions change. The signers, blockhash and header stay the same.
        const from = 4 + 32 * 2 + random(changed.length - 4 - 32 * 2);
        changed[from]! ^= 1 << random(8);
        wire.set(payer.sign(changed), 1);
        outcomes.push((await submit(wire)).outcome);
      }
    };
    await Promise.all(Array.from({ length: 8 }, runner));
    t.diagnostic(JSON.stringify(counted(outcomes)));
    assert.deepEqual(Object.keys(counted(outcomes)), ['400 INVALID_TRANSACTION']);
    assert.equal(rpc.asked('sendTransaction'), 0);
  });

  test('changed content that needs only the wallet’s signature lands under the returned signature or has no effect', async (t) => {
    const random = randomFrom(5);
    const outcomes: string[] = [];
    const total = Math.max(48, CASES / 10);
    let begun = 0;
    const runner = async (): Promise<void> => {
      while (begun < total) {
        const part = donateParts[begun % donateParts.length]!;
        begun += 1;
        // Uses a new payer each time, because a changed amount may spend most of the balance and leave too
        // little for the next transaction.
        const payer = await fundedWallet(sandbox, 100);
        const built = await client.post('/api/v1/donate', {
          walletAddress: payer.walletAddress,
          amountSol: 0.01,
        });
        const wire = Buffer.from(built.transaction, 'base64');
        const changed = wire.subarray(1 + 64);
        const [from, end] = part(changed);
        changed[from + random(end - from)]! ^= 1 << random(8);
        const signature = payer.sign(changed);
        wire.set(signature, 1);
        const first = await submit(wire, ownOnly);
        if (first.outcome.endsWith('FOREIGN_TRANSACTION'))
          assert.equal(first.sends, 0, 'a foreign transaction was sent');
        const answer = first.outcome.endsWith('FOREIGN_TRANSACTION') ? await submit(wire) : first;
        outcomes.push(...new Set([first.outcome, answer.outcome]));
        const { outcome } = answer;
        assert.ok(
          donateFloors[outcome] !== undefined,
          `${outcome} is not a documented response to a changed donation`,
        );
        assert.equal(
          answer.sends > 0,
          outcome !== '400 INVALID_TRANSACTION',
          `${outcome}, sent ${answer.sends} times`,
        );
        if (outcome === '200') {
          assert.equal(answer.signature, encodeBase58(signature));
          assert.equal(await landed(answer.signature), true, `${answer.signature} is not on the chain`);
        } else {
          const balance = await ask('getBalance', [payer.walletAddress, { commitment: 'confirmed' }]);
          assert.equal(balance.value, 100_000_000_000, `${outcome}, but the wallet paid`);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, runner));
    const counts = counted(outcomes);
    t.diagnostic(JSON.stringify(counts));
    for (const [outcome, floor] of Object.entries(donateFloors))
      assert.ok(
        (counts[outcome] ?? 0) >= floor,
        `${outcome}: ${counts[outcome] ?? 0}, expected at least ${floor}`,
      );
  });

  /** Queries the chain directly, without the service. */
  const ask = async (method: string, params: readonly unknown[]) => {
    const response = await fetch(sandbox.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: patience(),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the response of an RPC node.
    return ((await response.json()) as any).result;
  };
  const landed = async (signature: string): Promise<boolean> => {
    const { value } = await ask('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]);
    return value[0] !== null && value[0].err === null;
  };
});

/** Returns the start and end of one part of a donation's message. */
type Part = (message: Buffer) => readonly [from: number, end: number];

const keysEnd = (message: Buffer): number => 4 + 32 * message[3]!;
/**
 * The parts to change, in rotation. Changing the highest bytes of the amount makes it exceed the wallet's
 * balance. The memo comes last.
 */
const donateParts: readonly Part[] = [
  (message) => [4 + 32, keysEnd(message)],
  (message) => [keysEnd(message), keysEnd(message) + 32],
  (message) => [keysEnd(message) + 32, keysEnd(message) + 33],
  (message) => [keysEnd(message) + 33, message.length],
  (message) => {
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(DONATED_LAMPORTS);
    const at = message.indexOf(amount);
    return [at + 5, at + 8];
  },
  (message) => [message.length - 12, message.length],
];
const DONATED_LAMPORTS = 10_000_000n;

/** Every possible outcome of a changed donation, with its minimum count out of 48. */
const donateFloors: Readonly<Record<string, number>> = {
  '200': 4,
  '400 SUBMISSION_FAILED': 1,
  '400 BLOCKHASH_EXPIRED': 8,
  '400 INVALID_TRANSACTION': 8,
  '400 INSUFFICIENT_BALANCE': 8,
  '400 FOREIGN_TRANSACTION': 8,
};

type Common = Parameters<typeof buildTransaction.unstake>[0] & { readonly lamports: bigint };

const rebuild = (kind: string, input: Common): BuiltTransaction => {
  if (kind === 'stake') return buildTransaction.stake({ ...input, voteAccount: vote.address });
  if (kind === 'unstake') return buildTransaction.unstake(input);
  if (kind === 'restake') return buildTransaction.restake({ ...input, voteAccount: vote.address });
  if (kind === 'withdraw') return buildTransaction.withdraw(input);
  return buildTransaction.donate({ ...input, donationAddress: donation.address });
};
