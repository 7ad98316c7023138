// Reports the state of the service at startup on a real cluster, and the tasks that remain before it goes live.
import type { Config } from '../config/config.ts';
import type { Context } from '../operations/context.ts';
import { validatorProfile } from '../operations/validator/validator-profile.ts';

/** Lines of the banner. */
export interface StartReport {
  /** Name and stake. */
  readonly validator: string;
  /** Response time of each node. */
  readonly rpc: string;
  readonly toDo: readonly string[];
}

/** Maximum wait for name and stake at startup, in ms. */
const WITHIN_MS = 3_000;

const validatorLine = async (ctx: Context): Promise<string> => {
  const { voteAccount } = ctx.service.settings;
  try {
    const { body } = await validatorProfile.run({
      ctx,
      input: {},
      signal: AbortSignal.timeout(WITHIN_MS),
      source: 'rest',
      client: 'start',
    });
    const { name, activatedStakeSol } = body;
    const stake =
      activatedStakeSol === null
        ? 'stake unknown'
        : `${activatedStakeSol.toLocaleString('en-US', { maximumFractionDigits: 0 })} SOL staked`;
    return `${name ?? 'no name on chain'}, ${stake}, vote account ${voteAccount}`;
  } catch {
    return `vote account ${voteAccount}; no further data yet`;
  }
};

const rpcLine = async (ctx: Context): Promise<string> => {
  const { rpc } = await ctx.service.dependencies();
  const nodes = (rpc?.details?.nodes ?? []) as readonly { ok: boolean; latencyMs: number | null }[];
  const each = nodes.map(({ ok, latencyMs }, index) =>
    ok && latencyMs !== null
      ? `node ${index + 1} responds in ${Math.round(latencyMs)} ms`
      : `node ${index + 1} is not responding`,
  );
  return each.length === 1 ? `${each[0]}; add a second node as a fallback` : each.join(', ');
};

/** Inputs of the report in addition to the configuration. */
interface StartFacts {
  /** True if operator alerts have a destination. */
  readonly hasAlerts: boolean;
  /** True if the store is PostgreSQL, which holds everything except the server secret. */
  readonly isPostgres: boolean;
  /** The problem with the running Node version; undefined if there is none. */
  readonly nodeWarning: string | undefined;
}

const toDo = (
  { publicUrl, trustedProxies, profileFile, dataDir }: Config,
  { hasAlerts, isPostgres, nodeWarning }: StartFacts,
): readonly string[] => [
  ...(nodeWarning === undefined ? [] : [nodeWarning]),
  ...(publicUrl?.startsWith('https://') === true
    ? trustedProxies.length > 0
      ? []
      : ['Proxy: list it in HOLDFAST_TRUSTED_PROXIES, or all its clients will share one rate limit.']
    : ['TLS: put a proxy in front and set HOLDFAST_PUBLIC_URL to its https:// address.']),
  ...(hasAlerts
    ? []
    : [
        'Alerts: notifications are off. Set HOLDFAST_OPERATOR_NOTIFY_URL (ntfy) or HOLDFAST_OPERATOR_WEBHOOK_URL to be notified when the validator is delinquent, loses stake or is not admitted.',
      ]),
  ...(profileFile === undefined
    ? ['Profile: HOLDFAST_PROFILE_FILE gives the page your name, logo, color and links.']
    : []),
  isPostgres
    ? 'Backup: dump the database daily with pg_dump, and keep one copy of the server secret in another place.'
    : `Backup: copy the store in ${dataDir} daily, and keep one copy of the server secret in another place.`,
];

/** Builds the report. Waits at most `WITHIN_MS`, and reports data that is missing by then as unknown. */
export const startReport = async (ctx: Context, config: Config, facts: StartFacts): Promise<StartReport> => {
  const [validator, rpc] = await Promise.all([validatorLine(ctx), rpcLine(ctx)]);
  return { validator, rpc, toDo: toDo(config, facts) };
};
