// The configuration: typed, frozen and free of secrets, so that it can be printed.
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import type { Address } from '@solana/kit';
import { formatSol } from '../domain/lamports.ts';
import type { PriorityLevel } from '../domain/priority-levels.ts';
import { originOnly } from '../kernel/log/redact-secrets.ts';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import { type Environment, type ReadSettings, readSettings } from './read-settings.ts';
import { type RpcEndpoint, Secret, type Secrets } from './secret-settings.ts';
import { type SettingKey, type SettingValues, settings } from './settings.ts';
import { ConfigError } from './start-error.ts';

/**
 * Derives the WebSocket URL of an RPC URL. `http` becomes `ws` and `https` becomes `wss`. An explicit port is
 * incremented by 1, because a validator listens on 8899 and 8900. Path, query and credentials are kept.
 */
export const deriveWsUrl = (rpcUrl: string): string => {
  const url = new URL(rpcUrl);
  const wsUrl = new URL(rpcUrl.replace(/^http/i, 'ws'));
  if (url.port !== '') wsUrl.port = String(Number(url.port) + 1);
  return wsUrl.href;
};

/** Settings of a sandbox cluster, which the service starts itself if no RPC URL is set. */
export interface SandboxCluster {
  readonly kind: 'sandbox';
  readonly epochSeconds: number;
  readonly slotMs: number;
  /** True if blocks are full from the start. */
  readonly busy: boolean;
  /** Overrides for the sandbox's own values. */
  readonly memo: string | undefined;
  readonly donationAddress: Address | undefined;
}

/** Settings of an existing cluster, identified by an RPC URL and a vote account. */
export interface RealCluster {
  readonly kind: 'real';
  readonly voteAccount: Address;
  readonly memo: string;
  readonly donationAddress: Address;
  /** Scheme and host of each RPC node, for display. The full URLs are in `Secrets`. */
  readonly rpcOrigins: readonly string[];
}

/** All settings except the secrets. */
export interface Config {
  /** 0 uses any free port. */
  readonly port: number;
  readonly host: string;
  readonly logLevel: SettingValues['logLevel'];
  /** Absolute path. */
  readonly dataDir: string;
  readonly cluster: SandboxCluster | RealCluster;
  /** Origin without trailing slash. Default: the address that the service listens on. */
  readonly publicUrl: string | undefined;
  /** Lower case, with a port if it is not the default. */
  readonly allowedHosts: readonly string[];
  /** `address/prefix`. */
  readonly trustedProxies: readonly string[];
  /** Requests per client in any 60 seconds. */
  readonly rateLimit: number;
  readonly oneShot: 'on' | 'rest' | 'off';
  /** True if secret keys may be sent over plain HTTP from this machine. */
  readonly oneShotLoopback: boolean;
  /** First word of a signed autopilot policy. */
  readonly autopilotPrefix: string;
  /** Authorization required to delete a webhook. */
  readonly webhookDelete: 'wallet' | 'secret';
  /** Default message version of the transaction builders. */
  readonly transactionVersion: 'legacy' | 0 | 1;
  /** Priority fee of one-shot calls and autopilot offers. */
  readonly priorityFee: PriorityLevel;
  readonly priorityFeeMaxLamports: number;
  readonly webhooksPerHost: number;
  readonly webhooksInAll: number;
  /** `address/prefix` of private networks that webhooks may reach. */
  readonly webhookAllowCidrs: readonly string[];
  readonly webhookPorts: readonly number[];
  /** True if only this machine can connect to the service. */
  readonly bindsLoopback: boolean;
  /** Browser origins, in addition to our own, that may use the MCP endpoint. */
  readonly allowedOrigins: readonly string[];
  readonly submit: 'any' | 'own';
  readonly feeReserveLamports: bigint;
  /** URL without trailing slash. */
  readonly explorerUrl: string;
  /** Loopback port that serves the metrics; null disables them. 0 uses any free port. */
  readonly metricsPort: number | null;
  /**
   * Alerts about a single stake movement below this amount are not sent. The epoch digest still counts the
   * movement.
   */
  readonly operatorAlertMinLamports: bigint;
  /** Configured admission fee per epoch. Null if only observed fees are used. */
  readonly admissionTicketLamports: bigint | null;
  /** Loopback port of the operator console; null disables it. 0 uses any free port. */
  readonly operatorPort: number | null;
  /** URL of the published source code, without trailing slash. */
  readonly sourceUrl: string | undefined;
  /** Absolute path of the operator's profile file. */
  readonly profileFile: string | undefined;
  /** Warnings for the operator, one sentence each. */
  readonly warnings: readonly string[];
}

/** Configuration and secrets read at startup. */
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
      `${name(absent)} is missing: ${name(present)} alone does not identify a cluster. Set both for a real cluster, or neither for the sandbox`,
    );
  }
  const isReal = given.has('rpcUrls') || given.has('voteAccount');
  for (const key of isReal ? requiredOnRealCluster : []) {
    if (!given.has(key)) problems.push(`${name(key)} is missing; a real cluster requires it`);
  }
  for (const key of ['wsUrls', 'sendRpcUrl'] as const) {
    if (given.has(key) && !given.has('rpcUrls')) problems.push(`${name(key)} needs ${name('rpcUrls')}`);
  }
  if (values.rpcUrls && values.wsUrls && values.rpcUrls.length !== values.wsUrls.length) {
    problems.push(
      `${name('wsUrls')} has ${values.wsUrls.length} entries and ${name('rpcUrls')} ${values.rpcUrls.length}: list one WebSocket URL for each RPC URL, in the same order`,
    );
  }
  return problems;
};

/** Matches IPv4 and IPv6 loopback addresses. */
const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

// A host name may start like a loopback address and still resolve to another machine.
const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const findWarnings = (values: SettingValues, given: ReadonlySet<SettingKey>): string[] => {
  const warnings: string[] = [];
  if (given.has('rpcUrls')) {
    for (const key of ['sandboxEpochSeconds', 'sandboxSlotMs', 'sandboxBusy'] as const) {
      if (given.has(key)) warnings.push(`${settings[key].name} has no effect on a real cluster`);
    }
  }
  if (given.has('redisUrl') && !given.has('databaseUrl')) {
    warnings.push(
      `${settings.redisUrl.name} is set without ${settings.databaseUrl.name}: replicas would share limits but not records. Set both`,
    );
  }
  if (!isLoopback(values.host) && !given.has('publicUrl') && !given.has('allowedHosts')) {
    warnings.push(
      `${settings.host.name} lets other machines connect, but requests with a Host other than a loopback name are refused until ${settings.publicUrl.name} or ${settings.allowedHosts.name} is set`,
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
    busy: values.sandboxBusy,
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

/** Reads the settings at startup. Throws one `ConfigError` with all problems. */
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
    transactionVersion:
      values.transactionVersion === 'legacy' ? 'legacy' : values.transactionVersion === '0' ? 0 : 1,
    priorityFee: values.priorityFee,
    priorityFeeMaxLamports: values.priorityFeeMaxLamports,
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
    operatorAlertMinLamports: values.operatorAlertMinLamports,
    admissionTicketLamports: values.admissionTicketLamports ?? null,
    sourceUrl: values.sourceUrl,
    profileFile: values.profileFile === undefined ? undefined : resolve(values.profileFile),
    warnings: Object.freeze(findWarnings(values, read.given)),
  });
  return { config, secrets: buildSecrets(values) };
};

/**
 * Returns the configuration as JSON-safe fields for a log line, with lamports formatted as SOL. Warnings are
 * logged separately.
 */
export const printableConfig = ({
  warnings: _,
  feeReserveLamports,
  operatorAlertMinLamports,
  admissionTicketLamports,
  ...rest
}: Config): Readonly<Record<string, unknown>> => ({
  ...rest,
  feeReserveSol: formatSol(feeReserveLamports),
  operatorAlertMinSol: formatSol(operatorAlertMinLamports),
  admissionTicketSol: admissionTicketLamports === null ? null : formatSol(admissionTicketLamports),
});
