// The configuration: typed, frozen and free of secrets, so that it can be printed.
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import type { Address } from '@solana/kit';
import { formatSol } from '../domain/lamports.ts';
import { originOnly } from '../kernel/logger.ts';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import { type Environment, type ReadSettings, readSettings } from './env.ts';
import { type RpcEndpoint, Secret, type Secrets } from './secret-settings.ts';
import { type SettingKey, type SettingValues, settingRows, settings } from './settings.ts';
import { ConfigError } from './start-error.ts';

/**
 * The WebSocket URL that belongs to an RPC URL: `http` becomes `ws` and `https` `wss`; a port that is written out grows by 1, as a
 * validator listens on 8899 and 8900; without a port the same host serves both. Path, query and credentials are kept.
 */
export const deriveWsUrl = (rpcUrl: string): string => {
  const url = new URL(rpcUrl);
  const wsUrl = new URL(rpcUrl.replace(/^http/i, 'ws'));
  if (url.port !== '') wsUrl.port = String(Number(url.port) + 1);
  return wsUrl.href;
};

/** No RPC URL was given: a sandbox cluster is started beside the service. */
export interface SandboxCluster {
  readonly kind: 'sandbox';
  readonly epochSeconds: number;
  readonly slotMs: number;
  /** Where given, instead of what the sandbox makes. */
  readonly memo: string | undefined;
  readonly donationAddress: Address | undefined;
}

/** RPC URL and vote account were given: no sandbox exists. */
export interface RealCluster {
  readonly kind: 'real';
  readonly voteAccount: Address;
  readonly memo: string;
  readonly donationAddress: Address;
  /** Scheme and host of each RPC node, for people; the whole URLs are in `Secrets`. */
  readonly rpcOrigins: readonly string[];
}

/** Everything but the secrets. */
export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly logLevel: SettingValues['logLevel'];
  /** Absolute path. */
  readonly dataDir: string;
  readonly cluster: SandboxCluster | RealCluster;
  /** Origin without trailing slash; absent: where the service listens. */
  readonly publicUrl: string | undefined;
  /** Lower case, with port where one is needed. */
  readonly allowedHosts: readonly string[];
  /** `address/prefix`. */
  readonly trustedProxies: readonly string[];
  /** Requests per client in any 60 seconds. */
  readonly rateLimit: number;
  readonly oneShot: 'on' | 'rest' | 'off';
  /** Whether secret keys may come over plain HTTP from loopback. */
  readonly oneShotLoopback: boolean;
  /** First word of signed autopilot policies. */
  readonly autopilotPrefix: string;
  /** What deleting a webhook demands. */
  readonly webhookDelete: 'wallet' | 'secret';
  /** Which form of message builders make by default. */
  readonly transactionVersion: 'legacy' | 0;
  readonly webhooksPerHost: number;
  readonly webhooksInAll: number;
  /** `address/prefix` of networks beyond the public Internet that webhooks may reach. */
  readonly webhookAllowCidrs: readonly string[];
  readonly webhookPorts: readonly number[];
  /** Whether only this machine itself can connect to the service. */
  readonly bindsLoopback: boolean;
  /** Browser origins besides our own that may use the MCP endpoint. */
  readonly allowedOrigins: readonly string[];
  readonly submit: 'any' | 'own';
  readonly feeReserveLamports: bigint;
  /** Without trailing slash. */
  readonly explorerUrl: string;
  /** Loopback port of the metrics; absent: none are served. 0 takes any free port. */
  readonly metricsPort: number | null;
  /** What an epoch of admission is said to cost; null: only what is seen counts. */
  readonly admissionTicketLamports: bigint | null;
  /** Loopback port of the operator's desk; null: there is none. 0 takes any free port. */
  readonly operatorPort: number | null;
  /** Where the source code is published; without trailing slash. */
  readonly sourceUrl: string | undefined;
  /** Absolute path of the operator's description of the machine. */
  readonly profileFile: string | undefined;
  /** What the operator should know; each a sentence. */
  readonly warnings: readonly string[];
}

/** A start's settings. */
export interface LoadedConfig {
  readonly config: Config;
  readonly secrets: Secrets;
}

const requiredOnRealCluster = ['memo', 'donationAddress'] as const satisfies readonly SettingKey[];

const clusterProblems = ({ values, given }: ReadSettings): string[] => {
  const problems: string[] = [];
  const name = (key: SettingKey) => settings[key].name;
  if (given.has('rpcUrls') !== given.has('voteAccount')) {
    const [present, absent] = given.has('rpcUrls')
      ? (['rpcUrls', 'voteAccount'] as const)
      : (['voteAccount', 'rpcUrls'] as const);
    problems.push(
      `${name(absent)} is missing: ${name(present)} alone names no cluster to serve. Set both for a real cluster, neither for the sandbox`,
    );
  }
  const isReal = given.has('rpcUrls') || given.has('voteAccount');
  for (const key of isReal ? requiredOnRealCluster : []) {
    if (!given.has(key)) problems.push(`${name(key)} is missing: a real cluster needs it`);
  }
  for (const key of ['wsUrls', 'sendRpcUrl'] as const) {
    if (given.has(key) && !given.has('rpcUrls')) problems.push(`${name(key)} needs ${name('rpcUrls')}`);
  }
  if (values.rpcUrls && values.wsUrls && values.rpcUrls.length !== values.wsUrls.length) {
    problems.push(
      `${name('wsUrls')} has ${values.wsUrls.length} entries and ${name('rpcUrls')} ${values.rpcUrls.length}: they belong together by order`,
    );
  }
  return problems;
};

/** Of both families. */
const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

// A name may begin as an address does and lead anywhere.
const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const findWarnings = (values: SettingValues, given: ReadonlySet<SettingKey>): string[] => {
  const warnings = settingRows
    .filter(([key, setting]) => setting.status === 'reserved' && given.has(key))
    .map(([, { name }]) => `${name} is accepted but has no effect in this version`);
  if (given.has('rpcUrls')) {
    for (const key of ['sandboxEpochSeconds', 'sandboxSlotMs'] as const) {
      if (given.has(key)) warnings.push(`${settings[key].name} has no effect on a real cluster`);
    }
  }
  if (given.has('redisUrl') && !given.has('databaseUrl')) {
    warnings.push(
      `${settings.redisUrl.name} is set without ${settings.databaseUrl.name}: replicas share limits, but not what was done; they need both`,
    );
  }
  if (!isLoopback(values.host) && !given.has('publicUrl') && !given.has('allowedHosts')) {
    warnings.push(
      `${settings.host.name} lets other machines connect, but requests that name this service otherwise than by a loopback name are refused until ${settings.publicUrl.name} or ${settings.allowedHosts.name} is set`,
    );
  }
  return warnings;
};

const buildCluster = (values: SettingValues): SandboxCluster | RealCluster => {
  const { rpcUrls, voteAccount, memo, donationAddress } = values;
  if (rpcUrls && voteAccount && memo && donationAddress) {
    return Object.freeze({
      kind: 'real',
      voteAccount,
      memo,
      donationAddress,
      rpcOrigins: Object.freeze(rpcUrls.map(originOnly)),
    });
  }
  return Object.freeze({
    kind: 'sandbox',
    epochSeconds: values.sandboxEpochSeconds,
    slotMs: values.sandboxSlotMs,
    memo,
    donationAddress,
  });
};

const buildSecrets = (values: SettingValues): Secrets => {
  const { rpcUrls, wsUrls, sendRpcUrl, databaseUrl, redisUrl, stakewizUrl, jitoUrl, serverSecret } = values;
  const { operatorWebhookUrl, operatorNotifyUrl } = values;
  const endpoints = rpcUrls?.map(
    (httpUrl, index): RpcEndpoint =>
      Object.freeze({ httpUrl, wsUrl: wsUrls?.[index] ?? deriveWsUrl(httpUrl) }),
  );
  return Object.freeze({
    rpcEndpoints: endpoints && new Secret(Object.freeze(endpoints)),
    sendRpcUrl: sendRpcUrl === undefined ? undefined : new Secret(sendRpcUrl),
    databaseUrl: databaseUrl === undefined ? undefined : new Secret(databaseUrl),
    redisUrl: redisUrl === undefined ? undefined : new Secret(redisUrl),
    stakewizUrl: stakewizUrl === undefined ? undefined : new Secret(stakewizUrl),
    jitoUrl: jitoUrl === undefined ? undefined : new Secret(jitoUrl),
    operatorWebhookUrl: operatorWebhookUrl === undefined ? undefined : new Secret(operatorWebhookUrl),
    operatorNotifyUrl: operatorNotifyUrl === undefined ? undefined : new Secret(operatorNotifyUrl),
    serverSecret: serverSecret && SecretBytes.take(serverSecret),
  });
};

/** Reads the settings of a start. Throws `ConfigError` with every problem at once. */
export const loadConfig = (environment?: Environment): LoadedConfig => {
  const read = readSettings(environment);
  const problems = [...read.problems, ...clusterProblems(read)];
  if (problems.length > 0) throw new ConfigError(problems);
  const values = read.values as SettingValues;
  const cluster = buildCluster(values);
  const config: Config = Object.freeze({
    port: values.port,
    host: values.host,
    logLevel: values.logLevel,
    dataDir: resolve(values.dataDir),
    cluster,
    publicUrl: values.publicUrl,
    allowedHosts: values.allowedHosts ?? Object.freeze([]),
    trustedProxies: values.trustedProxies ?? Object.freeze([]),
    rateLimit: values.rateLimit,
    oneShot: values.oneShot,
    autopilotPrefix: values.autopilotPrefix,
    webhookDelete: values.webhookDelete,
    transactionVersion: values.transactionVersion === '0' ? 0 : 'legacy',
    webhooksPerHost: values.webhooksPerHost,
    webhooksInAll: values.webhooksInAll,
    webhookAllowCidrs:
      values.webhookAllowCidrs ?? Object.freeze(cluster.kind === 'sandbox' ? LOOPBACK_NETWORKS : []),
    webhookPorts: values.webhookPorts,
    bindsLoopback: isLoopback(values.host),
    allowedOrigins: values.allowedOrigins ?? [],
    oneShotLoopback: values.oneShotLoopback ?? cluster.kind === 'sandbox',
    submit: values.submit ?? (cluster.kind === 'sandbox' ? 'any' : 'own'),
    feeReserveLamports: values.feeReserveLamports,
    explorerUrl: values.explorerUrl,
    metricsPort: values.metricsPort,
    operatorPort: values.operatorPort,
    admissionTicketLamports: values.admissionTicketLamports ?? null,
    sourceUrl: values.sourceUrl,
    profileFile: values.profileFile === undefined ? undefined : resolve(values.profileFile),
    warnings: Object.freeze(findWarnings(values, read.given)),
  });
  return { config, secrets: buildSecrets(values) };
};

/** The configuration as JSON-safe members for a log line; lamports as SOL text. Warnings are left out: they have lines of their own. */
export const printableConfig = ({
  warnings: _,
  feeReserveLamports,
  admissionTicketLamports,
  ...rest
}: Config): Readonly<Record<string, unknown>> => ({
  ...rest,
  feeReserveSol: formatSol(feeReserveLamports),
  admissionTicketSol: admissionTicketLamports === null ? null : formatSol(admissionTicketLamports),
});
