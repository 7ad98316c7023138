// Describes the store, the limits and the destination of operator alerts for the banner, without any secret of a URL.
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secret-settings.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import { STORE_FILE } from './open-store.ts';

/** One line each. */
export interface Setup {
  readonly store: string;
  readonly limits: string;
  readonly alerts: string;
}

const describeStore = (databaseUrl: string | undefined, dataDir: string): string => {
  if (databaseUrl === undefined) return `SQLite file ${join(dataDir, STORE_FILE)}`;
  const name = new URL(databaseUrl).pathname.slice(1);
  return name === '' ? 'PostgreSQL, the default database of its user' : `PostgreSQL database ${name}`;
};

const describeLimits = (rateLimit: number, redis: DependencyHealth | undefined): string => {
  const scope =
    redis === undefined
      ? 'counted in this process alone'
      : redis.ok
        ? 'shared in Redis, which answers'
        : 'shared in Redis, which does not answer: until it does, each process allows its share';
  return `${rateLimit} requests a minute per client, ${scope}`;
};

/** Host and port. User, password, path and query may be secrets; the topic of ntfy is one. */
const hostOf = (url: string): string => new URL(url).host;

/** `redis` is its health; undefined if limits are not shared. */
export const describeSetup = (
  { dataDir, rateLimit }: Pick<Config, 'dataDir' | 'rateLimit'>,
  secrets: Pick<Secrets, 'databaseUrl' | 'operatorWebhookUrl' | 'operatorNotifyUrl'>,
  redis: DependencyHealth | undefined,
): Setup => {
  const webhook = secrets.operatorWebhookUrl?.reveal();
  const notify = secrets.operatorNotifyUrl?.reveal();
  const alerts = [
    ...(webhook === undefined ? [] : [`webhook at ${hostOf(webhook)}`]),
    ...(notify === undefined ? [] : [`push messages at ${hostOf(notify)}`]),
  ];
  return {
    store: describeStore(secrets.databaseUrl?.reveal(), dataDir),
    limits: describeLimits(rateLimit, redis),
    alerts: alerts.length === 0 ? 'off: no destination is set' : alerts.join(', '),
  };
};
