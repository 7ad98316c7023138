// An independent ledger of a load's requests. It reads the chain itself over JSON-RPC, without any code of the
// service, and compares the changes on the chain with the acknowledged requests and the delivered events.
import { createHash } from 'node:crypto';
import { type Act, callJson } from './mixed-load.ts';

// biome-ignore lint/suspicious/noExplicitAny: parsed by the node.
type Json = any;

const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
const SLOTS_PER_EPOCH = 432_000;
const PAGE = 1_000;
const AT_ONCE = 8;

/** Lifecycle of a stake account, according to its transactions. */
export interface AccountLife {
  readonly walletAddress: string;
  readonly lamports: number;
  /** Epochs of the transactions. Null if there was none. */
  readonly delegatedIn: number;
  deactivatedIn: number | null;
  withdrawnIn: number | null;
}

/** A transaction of a wallet that changed stake. */
interface StakeChange {
  readonly walletAddress: string;
  readonly signature: string;
  readonly kind: 'create' | 'deactivate' | 'withdraw';
  readonly account: string;
}

/** Everything that the chain records about the load's wallets. */
export interface ChainRecord {
  readonly changes: readonly StakeChange[];
  readonly lives: ReadonlyMap<string, AccountLife>;
  /** Balances in lamports of the accounts that still exist, by address. */
  readonly existing: ReadonlyMap<string, number>;
}

const ask = async (rpcUrl: string, method: string, params: readonly unknown[]): Promise<Json> => {
  const { status, body } = await callJson(rpcUrl, { body: { jsonrpc: '2.0', id: 1, method, params } });
  if (status !== 200 || body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body)}`);
  return body.result;
};

const signaturesOf = async (rpcUrl: string, wallet: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (;;) {
    const before = found.at(-1);
    const page = (await ask(rpcUrl, 'getSignaturesForAddress', [
      wallet,
      { limit: PAGE, ...(before !== undefined && { before }) },
    ])) as { signature: string; err: unknown }[];
    found.push(...page.map(({ signature }) => signature));
    if (page.length < PAGE) return found;
  }
};

const KINDS: Readonly<Record<string, StakeChange['kind']>> = {
  delegate: 'create',
  deactivate: 'deactivate',
  withdraw: 'withdraw',
};

/** Reads every transaction and every stake account of the wallets. */
export const readChain = async (rpcUrl: string, wallets: readonly string[]): Promise<ChainRecord> => {
  const changes: StakeChange[] = [];
  const lives = new Map<string, AccountLife>();
  const existing = new Map<string, number>();
  const readWallet = async (walletAddress: string): Promise<void> => {
    // Oldest first, so each lifecycle begins with the account's creation.
    for (const signature of (await signaturesOf(rpcUrl, walletAddress)).toReversed()) {
      const options = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
      const { meta, slot, transaction } = await ask(rpcUrl, 'getTransaction', [signature, options]);
      if (meta.err !== null) continue;
      const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
      const parsed: Json[] = transaction.message.instructions.map((one: Json) => one.parsed);
      const lamports = parsed.find((one) => one?.type === 'createAccount')?.info.lamports ?? 0;
      for (const { type, info } of parsed.filter((one) => KINDS[one?.type] !== undefined)) {
        const kind = KINDS[type]!;
        const account: string = info.stakeAccount;
        changes.push({ walletAddress, signature, kind, account });
        const life = lives.get(account);
        if (kind === 'create')
          lives.set(account, {
            walletAddress,
            lamports,
            delegatedIn: epoch,
            deactivatedIn: null,
            withdrawnIn: null,
          });
        else if (kind === 'deactivate') life!.deactivatedIn = epoch;
        else life!.withdrawnIn = epoch;
      }
    }
    const filters = [{ memcmp: { offset: 44, bytes: walletAddress } }];
    const owned: Json[] = await ask(rpcUrl, 'getProgramAccounts', [
      STAKE_PROGRAM,
      { encoding: 'base64', filters },
    ]);
    for (const { pubkey, account } of owned) existing.set(pubkey, account.lamports);
  };
  const left = [...wallets];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await readWallet(next);
    }),
  );
  return { changes, lives, existing };
};

const changeOf = { stake: 'create', submit: 'create', unstake: 'deactivate', withdraw: 'withdraw' } as const;

/** Lists every request that is not on the chain exactly once, and every change that was not requested. */
export const compareActs = (
  acts: readonly Act[],
  { changes, lives, existing }: ChainRecord,
): readonly string[] => {
  const problems: string[] = [];
  const bySignature = Map.groupBy(changes, ({ signature }) => signature);
  const claimed = new Set<string>();
  for (const { kind, walletAddress, stakeAccountAddress, outcome, detail, key } of acts) {
    const name = `${kind} of ${walletAddress} with key ${key}`;
    if (outcome === 'open') problems.push(`${name} was never settled`);
    if (outcome !== 'acknowledged') continue;
    if (claimed.has(detail!)) problems.push(`${name} was acknowledged with the signature of another request`);
    claimed.add(detail!);
    const found = bySignature.get(detail!) ?? [];
    const isExact =
      found.length === 1 &&
      found[0]!.kind === changeOf[kind] &&
      found[0]!.walletAddress === walletAddress &&
      found[0]!.account === stakeAccountAddress;
    if (!isExact)
      problems.push(`${name} was acknowledged as ${detail}; the chain has ${JSON.stringify(found)}`);
  }
  for (const { signature, kind, account, walletAddress } of changes) {
    if (claimed.has(signature)) continue;
    const refused = acts.filter(
      (act) =>
        act.outcome === 'refused' && act.walletAddress === walletAddress && changeOf[act.kind] === kind,
    );
    const list = refused.map((act) => `${act.kind} with key ${act.key}: ${act.detail}`).join(', ');
    problems.push(
      `${kind} of ${account} as ${signature} was not acknowledged; refused requests of the wallet: ${list || 'none'}`,
    );
  }
  for (const [account, { lamports, withdrawnIn }] of lives) {
    const balance = existing.get(account);
    if (withdrawnIn === null && (balance ?? 0) < lamports)
      problems.push(`${account} was funded with ${lamports} lamports and now has ${balance ?? 'none'}`);
    if (withdrawnIn !== null && balance !== undefined)
      problems.push(`${account} still exists after its withdrawal`);
  }
  for (const account of existing.keys())
    if (!lives.has(account)) problems.push(`${account} exists without a transaction`);
  return problems;
};

/** Delivered events, with the ids under which each arrived. */
export class DeliveredEvents {
  /** Ids by `path type subject`. */
  readonly ids = new Map<string, Set<string>>();
  /** Digest of the body by id. Deliveries with the same id must have the same content. */
  readonly #bodies = new Map<string, string>();
  readonly problems: string[] = [];
  deliveries = 0;

  get repeated(): number {
    return this.deliveries - this.#bodies.size;
  }

  note(path: string, body: string): void {
    const { id, type, data } = JSON.parse(body);
    const digest = createHash('sha256').update(`${path} ${body}`).digest('base64');
    const known = this.#bodies.get(id);
    this.deliveries += 1;
    this.#bodies.set(id, digest);
    if (known !== undefined && known !== digest) this.problems.push(`${id} arrived with different contents`);
    if (type === 'ping') return;
    const fact = `${path} ${type} ${data.stakeAccountAddress ?? data.epoch}`;
    this.ids.set(fact, (this.ids.get(fact) ?? new Set()).add(id));
  }
}

/**
 * Returns the events that each path must receive once: those about its wallet's accounts, and those about
 * epochs that ended before `epoch`.
 */
export const expectedFacts = (
  paths: ReadonlyMap<string, string>,
  lives: ReadonlyMap<string, AccountLife>,
  { firstEpoch, epoch }: { readonly firstEpoch: number; readonly epoch: number },
): ReadonlySet<string> => {
  const facts = new Set<string>();
  for (const [path, walletAddress] of paths) {
    for (let ended = firstEpoch; ended < epoch; ended += 1) facts.add(`${path} epoch_complete ${ended}`);
    for (const [account, life] of lives) {
      if (life.walletAddress !== walletAddress) continue;
      if (life.delegatedIn < epoch) facts.add(`${path} stake_activated ${account}`);
      if (life.deactivatedIn === null) continue;
      facts.add(`${path} stake_deactivated ${account}`);
      if (life.deactivatedIn < epoch) facts.add(`${path} withdraw_ready ${account}`);
    }
  }
  return facts;
};
