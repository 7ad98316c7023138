// The table of settings: names, defaults, accepted values and meaning. docs/settings.md, the help text and
// the parser are all derived from it.
import type { Address } from '@solana/kit';
import {
  cidr,
  hostName,
  httpOrigin,
  listenHost,
  listOf,
  oneOf,
  onOff,
  orOff,
  type Parser,
  plainText,
  publicUrl,
  secretBytes,
  solAmount,
  solanaAddress,
  urlOf,
  wholeNumber,
} from './parsers.ts';

/** One setting. `T` is the type of its parsed value and includes `undefined` if there is no default. */
export interface Setting<T> {
  /** Name of the environment variable. */
  readonly name: string;
  readonly parser: Parser<Exclude<T, undefined>>;
  /** Default text, parsed if the variable is absent or empty. */
  readonly defaultText: string | undefined;
  /** Description of the default in the table, if it is not a fixed text. */
  readonly shownDefault: string;
  readonly description: string;
  /** True for credentials, which are kept out of `Config` and never printed. */
  readonly isSecret: boolean;
}

type Extra = Partial<Pick<Setting<unknown>, 'isSecret' | 'shownDefault'>>;

const withDefault = <T>(
  name: string,
  parser: Parser<T>,
  defaultText: string,
  description: string,
): Setting<T> => ({
  name,
  parser: parser as Parser<Exclude<T, undefined>>,
  defaultText,
  shownDefault: defaultText,
  description,
  isSecret: false,
});

const optional = <T>(
  name: string,
  parser: Parser<T>,
  description: string,
  extra: Extra = {},
): Setting<T | undefined> => ({
  name,
  parser: parser as Parser<Exclude<T, undefined>>,
  defaultText: undefined,
  shownDefault: '',
  description,
  isSecret: false,
  ...extra,
});

const address: Parser<Address> = solanaAddress;
const secret: Extra = { isSecret: true };

/** All settings, in the order of the documentation. */
export const settings = {
  port: withDefault('PORT', wholeNumber(0, 65_535), '3000', 'Port to listen on; 0 takes any free one.'),
  host: withDefault('HOST', listenHost, '127.0.0.1', 'Address to listen on. Only this machine by default.'),
  logLevel: withDefault(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Log level.',
  ),
  dataDir: withDefault(
    'HOLDFAST_DATA_DIR',
    plainText('a path', 4096),
    './data',
    'Folder of the store, the server secret and the sandbox. Back it up.',
  ),
  rpcUrls: optional(
    'HOLDFAST_RPC_URL',
    listOf(urlOf('http', 'https')),
    'RPC nodes of a real cluster, best first. Absent: the sandbox runs. Needs HOLDFAST_VOTE_ACCOUNT, HOLDFAST_MEMO and HOLDFAST_DONATION_ADDRESS.',
    { ...secret, shownDefault: 'the sandbox' },
  ),
  wsUrls: optional(
    'HOLDFAST_WS_URL',
    listOf(urlOf('ws', 'wss')),
    'Their WebSocket URLs in the same order. Derived if absent: http becomes ws, https becomes wss, an explicit port is increased by 1.',
    { ...secret, shownDefault: 'derived' },
  ),
  sendRpcUrl: optional(
    'HOLDFAST_SEND_RPC_URL',
    urlOf('http', 'https'),
    'One more RPC node, used for sending transactions only.',
    secret,
  ),
  voteAccount: optional(
    'HOLDFAST_VOTE_ACCOUNT',
    address,
    'Vote account of your validator. Needs HOLDFAST_RPC_URL.',
    {
      shownDefault: 'made by the sandbox',
    },
  ),
  memo: optional(
    'HOLDFAST_MEMO',
    plainText('text', 128),
    "The service's own domain, written into every transaction.",
    { shownDefault: 'made by the sandbox' },
  ),
  donationAddress: optional('HOLDFAST_DONATION_ADDRESS', address, 'Wallet that receives donations.', {
    shownDefault: 'made by the sandbox',
  }),
  publicUrl: optional(
    'HOLDFAST_PUBLIC_URL',
    httpOrigin,
    'Public origin of the service; used in links and accepted as Host.',
    {
      shownDefault: 'the listen address',
    },
  ),
  allowedHosts: optional(
    'HOLDFAST_ALLOWED_HOSTS',
    listOf(hostName),
    'Further Host headers that are accepted.',
  ),
  trustedProxies: optional(
    'HOLDFAST_TRUSTED_PROXIES',
    listOf(cidr),
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto count.',
  ),
  serverSecret: optional(
    'HOLDFAST_SERVER_SECRET',
    secretBytes,
    'Secret from which stake-account keys are derived; replicas share it.',
    {
      ...secret,
      shownDefault: 'generated in the data folder',
    },
  ),
  rateLimit: withDefault(
    'HOLDFAST_RATE_LIMIT',
    wholeNumber(1, 1_000_000_000),
    '100',
    'Requests per client in any 60 seconds. Another fifth of that may build or submit transactions.',
  ),
  oneShot: withDefault(
    'HOLDFAST_ONE_SHOT',
    oneOf('on', 'rest', 'off'),
    'on',
    'One-shot signing: everywhere, only over REST, or nowhere.',
  ),
  oneShotLoopback: optional(
    'HOLDFAST_ONE_SHOT_LOOPBACK',
    onOff,
    'Accept secret keys over plain HTTP from this machine itself.',
    {
      shownDefault: 'on in the sandbox, else off',
    },
  ),
  submit: optional(
    'HOLDFAST_SUBMIT',
    oneOf('any', 'own'),
    'Transactions to submit: any valid one, or only those with our memo.',
    {
      shownDefault: 'any in the sandbox, else own',
    },
  ),
  transactionVersion: withDefault(
    'HOLDFAST_TRANSACTION_VERSION',
    oneOf('legacy', '0'),
    'legacy',
    'Version of built messages: legacy, which every library and wallet reads, or 0 once the cluster accepts no legacy ones.',
  ),
  priorityFee: withDefault(
    'HOLDFAST_PRIORITY_FEE',
    oneOf('none', 'low', 'medium', 'high'),
    'medium',
    'Priority fee of one-shot calls and of the autopilot while the network is busy. Builders pay none unless the request asks.',
  ),
  priorityFeeMaxLamports: withDefault(
    'HOLDFAST_PRIORITY_FEE_MAX_LAMPORTS',
    wholeNumber(0, 10_000_000),
    '1000000',
    'Highest priority fee of one transaction in lamports, whatever a request or an estimate says.',
  ),
  feeReserveLamports: withDefault(
    'HOLDFAST_FEE_RESERVE_SOL',
    solAmount(1_000),
    '0.005',
    'Amount that stays in the wallet for fees; at least the rent of an empty account + 0.00002.',
  ),
  explorerUrl: withDefault(
    'HOLDFAST_EXPLORER_URL',
    publicUrl,
    'https://explorer.solana.com',
    'Explorer used for links.',
  ),
  sandboxEpochSeconds: withDefault(
    'HOLDFAST_SANDBOX_EPOCH_SECONDS',
    wholeNumber(0, 604_800),
    '300',
    'Length of a sandbox epoch; 0: epochs end on demand only.',
  ),
  sandboxSlotMs: withDefault(
    'HOLDFAST_SANDBOX_SLOT_MS',
    wholeNumber(10, 10_000),
    '400',
    'Length of a sandbox slot in milliseconds.',
  ),
  sandboxBusy: withDefault(
    'HOLDFAST_SANDBOX_BUSY',
    onOff,
    'off',
    'Start the sandbox with full blocks, for which transactions compete by priority fee.',
  ),
  allowedOrigins: optional(
    'HOLDFAST_ALLOWED_ORIGINS',
    listOf(httpOrigin),
    'Browser origins that may use the MCP endpoint.',
  ),
  profileFile: optional(
    'HOLDFAST_PROFILE_FILE',
    plainText('a path', 4096),
    "JSON file with the operator's brand and description of the validator: name, logo, accent colour, links, hardware.",
    { shownDefault: 'the on-chain validator info; in the sandbox its example' },
  ),
  stakewizUrl: optional(
    'HOLDFAST_STAKEWIZ_URL',
    urlOf('http', 'https'),
    "Provider of validator statistics with StakeWiz's API.",
    { ...secret, shownDefault: 'the public one on mainnet-beta' },
  ),
  jitoUrl: optional(
    'HOLDFAST_JITO_URL',
    urlOf('http', 'https'),
    "Provider of MEV reward statistics with Jito's API.",
    {
      ...secret,
      shownDefault: 'the public one on mainnet-beta',
    },
  ),
  sourceUrl: optional(
    'HOLDFAST_SOURCE_URL',
    publicUrl,
    'URL of the published source code of the running version.',
  ),
  metricsPort: withDefault(
    'HOLDFAST_METRICS_PORT',
    orOff(wholeNumber(0, 65_535)),
    '0',
    'Port of GET /metrics in Prometheus text, on loopback only; 0: any free port, printed at the start.',
  ),
  operatorPort: withDefault(
    'HOLDFAST_OPERATOR_PORT',
    orOff(wholeNumber(0, 65_535)),
    '0',
    'Port of the operator console, on loopback only; 0: any free port, printed at the start with the path of its token file.',
  ),
  operatorWebhookUrl: optional(
    'HOLDFAST_OPERATOR_WEBHOOK_URL',
    urlOf('http', 'https'),
    "The operator's own webhook: gets every alert for the operator, signed (secret: on the console, under health).",
    secret,
  ),
  operatorNotifyUrl: optional(
    'HOLDFAST_OPERATOR_NOTIFY_URL',
    urlOf('http', 'https'),
    'A URL that takes text by POST with the headers Title and Priority, as ntfy does: gets every alert for the operator.',
    secret,
  ),
  operatorAlertMinLamports: withDefault(
    'HOLDFAST_OPERATOR_ALERT_MIN_SOL',
    solAmount(1_000_000),
    '0',
    'Alerts for the operator about stake that joins or leaves: only from this amount on. The digest of the epoch counts all.',
  ),
  admissionTicketLamports: optional(
    'HOLDFAST_ADMISSION_TICKET_SOL',
    solAmount(1_000),
    'Cost of one epoch of admission for the vote account. For alerts, if it cannot be observed at the boundaries.',
    { shownDefault: 'the observed cost' },
  ),
  autopilotPrefix: withDefault(
    'HOLDFAST_AUTOPILOT_PREFIX',
    plainText('lower-case letters, digits and dashes', 64, /^[a-z0-9-]+$/),
    'holdfast-autopilot',
    'First word of signed autopilot policies.',
  ),
  webhookDelete: withDefault(
    'HOLDFAST_WEBHOOK_DELETE',
    oneOf('wallet', 'secret'),
    'wallet',
    "What deleting a webhook requires: its wallet's address, or also its own secret as a bearer token.",
  ),
  webhooksPerHost: withDefault(
    'HOLDFAST_WEBHOOKS_PER_HOST',
    wholeNumber(1, 1_000_000),
    '200',
    'Maximum number of webhooks registered within 24 hours for one callback host that has not answered them yet.',
  ),
  webhooksInAll: withDefault(
    'HOLDFAST_WEBHOOKS_IN_ALL',
    wholeNumber(1, 10_000_000),
    '100000',
    'Maximum number of webhooks in total; deleted ones count for 24 hours after their creation.',
  ),
  webhookAllowCidrs: optional(
    'HOLDFAST_WEBHOOK_ALLOW_CIDRS',
    listOf(cidr),
    'Private networks that webhooks may reach over https; loopback among them over plain http too, at any port, while HOST is a loopback address.',
    { shownDefault: 'loopback in the sandbox, else none' },
  ),
  webhookPorts: withDefault(
    'HOLDFAST_WEBHOOK_PORTS',
    listOf(wholeNumber(1, 65_535)),
    '443',
    'Ports that webhooks may reach.',
  ),
  databaseUrl: optional(
    'DATABASE_URL',
    urlOf('postgres', 'postgresql'),
    'PostgreSQL store, which replicas share. Absent: an embedded one in HOLDFAST_DATA_DIR.',
    { ...secret, shownDefault: 'embedded' },
  ),
  redisUrl: optional(
    'REDIS_URL',
    urlOf('redis', 'rediss'),
    'Redis for rate limits shared by replicas. While it is down, each replica allows its share. Absent: each process counts alone.',
    secret,
  ),
} as const;

/** Key of a setting in `settings`. */
export type SettingKey = keyof typeof settings;

/** Parsed values of all settings. */
export type SettingValues = {
  readonly [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** Rows of the table, with values of unknown type. */
export const settingRows: ReadonlyArray<readonly [SettingKey, Setting<unknown>]> = Object.entries(
  settings,
) as unknown as ReadonlyArray<readonly [SettingKey, Setting<unknown>]>;

/**
 * Variables of the command line (`cli/`). The service ignores them, because both are often run from the same
 * shell.
 */
export const commandLineNames: readonly string[] = [
  'HOLDFAST_URL',
  'HOLDFAST_KEYPAIR',
  'HOLDFAST_WEBHOOK_SECRET',
];

/** `HOLDFAST_*` variables of the project's test runner. The service ignores them. */
export const testRunnerNames: readonly string[] = ['HOLDFAST_TEST_FULL', 'HOLDFAST_TEST_STAKE_IMAGE'];
