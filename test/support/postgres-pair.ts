// Two PostgreSQL servers on this machine: a primary and its synchronous standby, behind a haproxy that sends
// every connection to the primary using a cluster manager's health check.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { listenLocally } from './local-server.ts';
import { cleanEnvironment } from './spawned-process.ts';
import { executeOn } from './store-postgres.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

const HAPROXY = '/usr/sbin/haproxy';
const programs = globSync('/usr/lib/postgresql/*/bin/initdb').map(dirname).toSorted().at(-1);

/** PostgreSQL refuses to run as root. */
const identity = (() => {
  if (process.getuid?.() !== 0) return {};
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return {};
  }
})();

/** Returns the reason why such a pair cannot run on this machine, or undefined if it can. */
export const postgresPairMissing = (): string | undefined => {
  if (programs === undefined) return 'no PostgreSQL server programs on this machine';
  if (process.getuid?.() === 0 && !('uid' in identity)) return 'no user postgres on this machine';
  return existsSync(HAPROXY) ? undefined : `no ${HAPROXY} on this machine`;
};

/** A running pair. */
export interface PostgresPair {
  /** URL through haproxy, which always leads to the primary. */
  readonly url: string;
  /** Kills the primary with SIGKILL and promotes the standby. */
  readonly failOver: () => Promise<void>;
}

const run = (program: string, args: readonly string[], cwd: string): void =>
  void execFileSync(join(programs!, program), args, { cwd, stdio: 'pipe', ...identity });

const startServer = async (scope: Scope, data: string, port: number, settings: readonly string[]) => {
  const given = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'fsync=off', ...settings];
  const child = spawn(
    join(programs!, 'postgres'),
    ['-D', data, '-p', String(port), ...given.flatMap((one) => ['-c', one])],
    { cwd: data, env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'], ...identity },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'close');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  scope.after(kill);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended:\n${log}`);
    const isUp = await executeOn(url, 'select 1').then(
      () => true,
      () => false,
    );
    if (isUp) return { url, kill };
    await delay(50);
  }
};

/** Starts the pair with an empty database. Stops it when the scope ends. */
export const startPostgresPair = async (scope: Scope): Promise<PostgresPair> => {
  const folder = temporaryFolder(scope);
  if ('uid' in identity) chownSync(folder, identity.uid!, identity.gid!);
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const ports = [await freePort(), await freePort()] as const;
  run('initdb', ['-D', first, '-A', 'trust', '-U', 'postgres', '--no-sync'], folder);
  // Only this server waits for the other, because the setting is not among the copied files.
  const primary = await startServer(scope, first, ports[0], ['synchronous_standby_names=*']);
  run('pg_basebackup', ['-D', second, '-R', '-d', primary.url, '--no-sync', '-c', 'fast'], folder);
  const standby = await startServer(scope, second, ports[1], []);

  let current = 0;
  const checks = await Promise.all(
    [0, 1].map(async (index) => {
      const server = createServer((_request, response) =>
        response.writeHead(index === current ? 200 : 503).end(),
      );
      const { port, close } = await listenLocally(server);
      scope.after(close);
      return port;
    }),
  );
  const port = await freePort();
  const configuration = join(folder, 'haproxy.cfg');
  writeFileSync(
    configuration,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  default-server inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
  server first 127.0.0.1:${ports[0]} check port ${checks[0]}
  server second 127.0.0.1:${ports[1]} check port ${checks[1]}
`,
  );
  const proxy = spawn(HAPROXY, ['-db', '-f', configuration], { env: cleanEnvironment(), stdio: 'ignore' });
  const proxyEnded = once(proxy, 'close');
  scope.after(async () => {
    proxy.kill('SIGKILL');
    await proxyEnded;
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (
    await executeOn(url, 'select 1').then(
      () => false,
      () => true,
    )
  )
    await delay(50);
  return {
    url,
    failOver: async () => {
      await primary.kill();
      await executeOn(standby.url, 'select pg_promote()');
      current = 1;
    },
  };
};
