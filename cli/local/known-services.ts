// Remembers each service, as ssh remembers hosts. Refuses a service that suddenly reports another validator,
// cluster, donation address or memo.
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import type { ServiceBinding } from '../../client/staking/verify-against-request.ts';
import { isPublicCluster } from '../../src/domain/public-clusters.ts';
import type { CommandCall } from '../command.ts';
import { isLoopback } from '../direct/call-rpc-node.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';
import { localPath, readLocalJson, replaceLocalJson } from './state-folder.ts';

/** Values that every transaction of a service must match; null if the service does not report them. */
export interface KnownService {
  readonly genesisHash: string | null;
  readonly voteAccount: string;
  readonly donationAddress: string | null;
  readonly memo: string;
}

/** Display names of the values. */
export const SERVICE_FACTS = {
  genesisHash: 'cluster (genesis hash)',
  voteAccount: 'validator',
  donationAddress: 'donation address',
  memo: 'memo',
} as const satisfies Record<keyof KnownService, string>;

const NAMES = Object.keys(SERVICE_FACTS) as (keyof KnownService)[];
const MAX_MEMO_BYTES = 128;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

interface ServiceChange {
  readonly name: keyof KnownService;
  readonly remembered: string | null;
  readonly now: string | null;
}

/** True if a service on this machine has a different cluster than before and both clusters are private, as after the restart of a sandbox. */
const isNewSandbox = (baseUrl: string, changes: readonly ServiceChange[]): boolean =>
  isLoopback(new URL(baseUrl)) &&
  changes.some(
    ({ name, remembered, now }) =>
      name === 'genesisHash' && [remembered, now].every((hash) => hash !== null && !isPublicCluster(hash)),
  );

/** Thrown if a service's values differ from the remembered ones. Nothing was signed. */
export class ServiceChanged extends Error {
  override readonly name = 'ServiceChanged';
  readonly changes: readonly ServiceChange[];

  constructor(baseUrl: string, changes: readonly ServiceChange[]) {
    super(
      isNewSandbox(baseUrl, changes)
        ? `${baseUrl} looks like a new sandbox on this machine: its cluster is not the one you trusted, and neither is public. Nothing was signed. If you restarted it, accept it with: holdfast trust --url ${baseUrl}`
        : `${baseUrl} does not match the service you trusted before. Nothing was signed. If its operator announced this change elsewhere, accept it with: holdfast trust --url ${baseUrl}`,
    );
    this.changes = changes;
  }
}

/** Thrown if the service was never trusted, or reports invalid values. Nothing was signed. */
export class ServiceNotTrusted extends Error {
  override readonly name = 'ServiceNotTrusted';
}

const isKnownService = (value: unknown): value is KnownService => {
  const found = (value ?? {}) as Record<string, unknown>;
  return (
    ['genesisHash', 'donationAddress'].every(
      (name) => found[name] === null || typeof found[name] === 'string',
    ) &&
    typeof found.voteAccount === 'string' &&
    typeof found.memo === 'string'
  );
};

const filePath = ({ environment }: CommandCall['terminal']): string =>
  localPath(environment, 'known-services.json');

const readAll = (terminal: CommandCall['terminal']): Record<string, KnownService> => {
  const path = filePath(terminal);
  const file = readLocalJson(path) as { version?: unknown; services?: unknown } | undefined;
  if (file === undefined) return {};
  const { version, services } = file ?? {};
  if (
    version !== 1 ||
    typeof services !== 'object' ||
    services === null ||
    !Object.values(services).every(isKnownService)
  )
    throw new UsageError(`${path} is damaged. Repair it or move it elsewhere`);
  return services as Record<string, KnownService>;
};

/**
 * Returns the remembered values of the service at `baseUrl`; undefined on first use. Throws `UsageError` if
 * the file is damaged.
 */
export const rememberedService = (
  terminal: CommandCall['terminal'],
  baseUrl: string,
): KnownService | undefined => {
  const all = readAll(terminal);
  return Object.hasOwn(all, baseUrl) ? all[baseUrl] : undefined;
};

/** Stores the values and returns the file's path. */
export const rememberService = (
  terminal: CommandCall['terminal'],
  baseUrl: string,
  service: KnownService,
): string => {
  const path = filePath(terminal);
  replaceLocalJson(path, { version: 1, services: { ...readAll(terminal), [baseUrl]: service } });
  return path;
};

/** Reads the service's current values. Throws `ServiceNotTrusted` if they are invalid. */
export const readService = async (client: HoldfastClient, signal: AbortSignal): Promise<KnownService> => {
  const { identity: service }: { readonly identity?: unknown } = await client.codeIntegrity({}, { signal });
  const isAddress = (text: string | null): boolean => text === null || ADDRESS.test(text);
  if (
    !isKnownService(service) ||
    ![service.genesisHash, service.voteAccount, service.donationAddress].every(isAddress)
  )
    throw new ServiceNotTrusted(`${client.baseUrl} does not report a valid validator and cluster`);
  const { genesisHash, voteAccount, donationAddress, memo } = service;
  if (Buffer.byteLength(memo) > MAX_MEMO_BYTES)
    throw new ServiceNotTrusted(`the memo of ${client.baseUrl} is longer than ${MAX_MEMO_BYTES} bytes`);
  return { genesisHash, voteAccount, donationAddress, memo };
};

export const changesOf = (remembered: KnownService, now: KnownService): readonly ServiceChange[] =>
  NAMES.filter((name) => remembered[name] !== now[name]).map((name) => ({
    name,
    remembered: remembered[name],
    now: now[name],
  }));

/** Formats one line per value. */
export const serviceLines = (service: KnownService): (readonly [string, string])[] =>
  NAMES.map((name) => [`  ${SERVICE_FACTS[name]}`, plain(service[name] ?? 'not given')] as const);

/** Maximum wait for a value that only decides about a warning. */
const CHAIN_TIMEOUT_MS = 5_000;

/**
 * Warns if the service is on another chain than when it was trusted, because the wallet's stakes are not
 * there. Says nothing if the service does not respond, which the command itself reports.
 */
export const warnOfOtherChain = async ({ client, terminal, values, signal }: CommandCall): Promise<void> => {
  const remembered =
    values.direct === true ? undefined : rememberedService(terminal, client.baseUrl)?.genesisHash;
  if (!remembered) return;
  const now = await client
    .codeIntegrity({}, { signal, retries: 0, timeoutMs: CHAIN_TIMEOUT_MS })
    .then(({ identity }) => identity.genesisHash as unknown)
    .catch(() => null);
  if (typeof now === 'string' && now !== remembered)
    terminal.err(
      `${terminal.paintErr('yellow', '!')} ${client.baseUrl} is on another chain than when you trusted it. Stakes on the earlier chain are missing below. If you restarted a sandbox, accept it with: holdfast trust --url ${client.baseUrl}\n`,
    );
};

const voteOf = ({ values, terminal }: CommandCall): string | undefined =>
  typeof values.vote === 'string' ? values.vote : terminal.environment.HOLDFAST_VOTE_ACCOUNT || undefined;

/**
 * Throws `ServiceNotTrusted` unless the service is remembered, or the validator is specified by `--vote` or
 * HOLDFAST_VOTE_ACCOUNT.
 */
export const requireKnownService = (call: CommandCall): void => {
  if (voteOf(call) !== undefined || rememberedService(call.terminal, call.client.baseUrl) !== undefined)
    return;
  throw new ServiceNotTrusted(
    `${call.client.baseUrl} is not trusted yet. Nothing was signed. Check it once with holdfast trust --url ${call.client.baseUrl}, or specify the validator with --vote ADDRESS.`,
  );
};

/**
 * Returns the values that transactions of this service must match: the remembered ones, or those given by
 * `--vote`. On first use on a terminal, shows the values; call `trust` to store them after the user has agreed.
 * A dry run uses and shows them without storing. Without a terminal, throws `ServiceNotTrusted`. Throws
 * `ServiceChanged` if remembered values differ.
 */
export const bindService = async (
  call: CommandCall,
  isAttended: boolean,
): Promise<{
  readonly binding: ServiceBinding;
  readonly trust: () => void;
  /** Genesis hash; null if unknown. */
  readonly cluster: string | null;
}> => {
  const { client, terminal, values, signal } = call;
  const vote = voteOf(call);
  const isDry = values['dry-run'] === true;
  if (!isAttended && !isDry) requireKnownService(call);
  const remembered = rememberedService(terminal, client.baseUrl);
  if (remembered === undefined && vote !== undefined && !isAttended)
    return { binding: { voteAccount: vote }, trust: () => {}, cluster: null };
  const now = await readService(client, signal);
  if (remembered === undefined) {
    const title = isDry
      ? `${client.baseUrl} is not trusted yet; the dry run used its values but saved nothing. Before signing: holdfast trust --url ${client.baseUrl}`
      : `First use of ${client.baseUrl}. If you agree below, it is saved as trusted:`;
    terminal.err(`${[title, ...serviceLines(now).map(([name, value]) => `${name}: ${value}`)].join('\n')}\n`);
  }
  const changes = changesOf(remembered ?? now, now);
  if (changes.length > 0) throw new ServiceChanged(client.baseUrl, changes);
  const trust = (): void => {
    if (remembered === undefined)
      terminal.err(`${client.baseUrl} is saved in ${rememberService(terminal, client.baseUrl, now)}\n`);
  };
  return {
    binding: { voteAccount: vote ?? now.voteAccount, memo: now.memo },
    trust,
    cluster: now.genesisHash,
  };
};
