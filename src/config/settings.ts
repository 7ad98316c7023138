// The table of settings: names, defaults, accepted values and meaning. docs/settings.md, the help text and
// the parser are all derived from it.
import type { Address } from '@solana/kit';
import { priorityLevels } from '../domain/priority-levels.ts';
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

/** A setting. `T` is the type of its parsed value and includes `undefined` if there is no default. */
export interface Setting<T> {
  readonly name: string;
  readonly parser: Parser<Exclude<T, undefined>>;
  /** Default text, parsed if the variable is absent or empty. */
  readonly defaultText: string | undefined;
  /** Description of the default, for the table, if the default is not a fixed text. */
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
  port: withDefault('PORT', wholeNumber(0, 65_535), '3000', 'Port to listen on; 0 uses any free port.'),
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
    'RPC nodes of a real cluster, best first. If absent, the sandbox runs. Requires HOLDFAST_VOTE_ACCOUNT, HOLDFAST_MEMO and HOLDFAST_DONATION_ADDRESS.',
    { ...secret, shownDefault: 'the sandbox' },
  ),
  wsUrls: optional(
    'HOLDFAST_WS_URL',
    listOf(urlOf('ws', 'wss')),
    'WebSocket URLs of these nodes, in the same order. If absent, they are derived: http becomes ws, https becomes wss, and an explicit port is increased by 1.',
    { ...secret, shownDefault: 'derived' },
  ),
  sendRpcUrl: optional(
    'HOLDFAST_SEND_RPC_URL',
    urlOf('http', 'https'),
    'Additional RPC node, used only to send transactions.',
    secret,
  ),
  voteAccount: optional(
    'HOLDFAST_VOTE_ACCOUNT',
    address,
    'Vote account of your validator. Requires HOLDFAST_RPC_URL.',
    {
      shownDefault: 'created by the sandbox',
    },
  ),
  memo: optional(
    'HOLDFAST_MEMO',
    plainText('text', 128),
    "The service's own domain, written into every transaction.",
    { shownDefault: 'created by the sandbox' },
  ),
  donationAddress: optional(
    'HOLDFAST_DONATION_ADDRESS',
    address,
    'Wallet that receives donations; an account of a program is refused at startup.',
    {
      shownDefault: 'created by the sandbox',
    },
  ),
  publicUrl: optional(
    'HOLDFAST_PUBLIC_URL',
    httpOrigin,
    'Public origin of the service; used in links and accepted as Host.',
    {
      shownDefault: 'the listen address',
    },
  ),
  allowedHosts: optional('HOLDFAST_ALLOWED_HOSTS', listOf(hostName), 'Additional Host headers to accept.'),
  trustedProxies: optional(
    'HOLDFAST_TRUSTED_PROXIES',
    listOf(cidr),
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted.',
  ),
  serverSecret: optional(
    'HOLDFAST_SERVER_SECRET',
    secretBytes,
    'Secret from which stake account keys are derived; the same for all replicas.',
    {
      ...secret,
      shownDefault: 'generated in the data folder',
    },
  ),
  rateLimit: withDefault(
    'HOLDFAST_RATE_LIMIT',
    wholeNumber(1, 1_000_000_000),
    '100',
    'Requests per client in any 60 seconds. One fifth more is reserved for building and submitting transactions.',
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
    'Accept secret keys over plain HTTP from this machine.',
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
    oneOf('legacy', '0', '1'),
    'legacy',
    'Version of built messages: legacy, which every library and wallet can read, or 0 or 1 once the cluster no longer accepts legacy messages.',
  ),
  priorityFee: withDefault(
    'HOLDFAST_PRIORITY_FEE',
    oneOf(...priorityLevels),
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
    'Amount to keep in the wallet for fees; at least the rent-exempt minimum of an empty account + 0.00002.',
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
    'Length of a sandbox epoch; with 0, epochs end only on demand.',
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
    "JSON file with the operator's brand and description of the validator: name, logo, accent color, links, hardware.",
    { shownDefault: 'the on-chain validator info; in the sandbox, an example' },
  ),
  stakewizUrl: optional(
    'HOLDFAST_STAKEWIZ_URL',
    urlOf('http', 'https'),
    'Provider of validator statistics (StakeWiz API).',
    { ...secret, shownDefault: 'the public one on mainnet-beta' },
  ),
  jitoUrl: optional(
    'HOLDFAST_JITO_URL',
    urlOf('http', 'https'),
    'Provider of MEV reward statistics (Jito API).',
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
    'Port of GET /metrics (Prometheus text format), on loopback only; 0 uses any free port, printed at startup.',
  ),
  operatorPort: withDefault(
    'HOLDFAST_OPERATOR_PORT',
    orOff(wholeNumber(0, 65_535)),
    '0',
    'Port of the operator console, on loopback only; 0 uses any free port, printed at startup with the path of the token file.',
  ),
  operatorWebhookUrl: optional(
    'HOLDFAST_OPERATOR_WEBHOOK_URL',
    urlOf('http', 'https'),
    "The operator's webhook, which receives every operator alert, signed. The console shows the secret under health.",
    secret,
  ),
  operatorNotifyUrl: optional(
    'HOLDFAST_OPERATOR_NOTIFY_URL',
    urlOf('http', 'https'),
    'A URL that accepts text by POST with Title and Priority headers, such as ntfy. It receives every operator alert.',
    secret,
  ),
  operatorAlertMinLamports: withDefault(
    'HOLDFAST_OPERATOR_ALERT_MIN_SOL',
    solAmount(1_000_000),
    '0',
    'Minimum amount for operator alerts about stake that joins or leaves. The epoch digest counts all stake.',
  ),
  admissionTicketLamports: optional(
    'HOLDFAST_ADMISSION_TICKET_SOL',
    solAmount(1_000),
    'Admission fee of the vote account per epoch, for alerts. The larger of this and the fee observed at epoch boundaries counts.',
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
    "Authorization required to delete a webhook: its wallet's address, or also its own secret as a bearer token.",
  ),
  webhooksPerHost: withDefault(
    'HOLDFAST_WEBHOOKS_PER_HOST',
    wholeNumber(1, 1_000_000),
    '200',
    'Maximum number of webhooks registered within 24 hours for one callback host that has not responded to them yet.',
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
    'Private networks that webhooks may reach over https. Loopback, if listed, also over plain http and on any port, as long as HOST is a loopback address.',
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
    'PostgreSQL store shared by replicas. If absent, an embedded store in HOLDFAST_DATA_DIR is used.',
    { ...secret, shownDefault: 'embedded' },
  ),
  redisUrl: optional(
    'REDIS_URL',
    urlOf('redis', 'rediss'),
    'Redis for rate limits shared by replicas. While it is down, each replica allows its share. If absent, each process counts on its own.',
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
 * Variables of the command line (`cli/`). The service ignores them, because users often run both from the
 * same shell.
 */
export const commandLineNames: readonly string[] = [
  'HOLDFAST_URL',
  'HOLDFAST_KEYPAIR',
  'HOLDFAST_WEBHOOK_SECRET',
];

/** `HOLDFAST_*` variables of the project's test runner. The service ignores them. */
export const testRunnerNames: readonly string[] = ['HOLDFAST_TEST_FULL', 'HOLDFAST_TEST_STAKE_IMAGE'];
