// Runs Debian's haproxy with the shipped configuration, in front of two processes on this machine.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { freePort } from './free-port.ts';
import { cleanEnvironment } from './spawned-process.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

const HAPROXY = '/usr/sbin/haproxy';

/** The configuration that compose.yaml uses. */
const HAPROXY_CONFIG = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy.cfg');

/** Returns the reason why haproxy cannot run on this machine, or undefined if it can. */
export const haproxyMissing = (): string | undefined => {
  if (!existsSync(HAPROXY)) return `no ${HAPROXY} on this machine`;
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'no openssl on this machine to make a certificate with';
  }
};

export interface Haproxy {
  /** Base URL over TLS. */
  readonly url: string;
  /** Base URL without TLS. */
  readonly plainUrl: string;
  /** A client that trusts the proxy's certificate. Closed when the scope ends. */
  readonly agent: Agent;
  readonly log: () => string;
}

const makeCertificate = (folder: string): string => {
  const [key, certificate, both] = ['key', 'certificate', 'both'].map((name) => join(folder, `${name}.pem`));
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...made, ...names, '-keyout', key!, '-out', certificate!], {
    stdio: 'ignore',
  });
  writeFileSync(both!, readFileSync(certificate!, 'utf8') + readFileSync(key!, 'utf8'), { mode: 0o600 });
  return both!;
};

const listens = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/**
 * Returns the environment that completes the configuration: the listening address, the certificate, and the two
 * processes.
 */
const environmentFor = (folder: string, ports: readonly number[], replicas: readonly number[]) => ({
  HOLDFAST_MAXCONN: '200',
  HOLDFAST_HTTP_BIND: `127.0.0.1:${ports[0]}`,
  HOLDFAST_HTTPS_BIND: `127.0.0.1:${ports[1]}`,
  HOLDFAST_CERTIFICATE: makeCertificate(folder),
  HOLDFAST_REPLICA_1: `127.0.0.1:${replicas[0]}`,
  HOLDFAST_REPLICA_2: `127.0.0.1:${replicas[1]}`,
});

/** Checks the configuration with `haproxy -c`. Throws its output if it is invalid. */
export const checkHaproxyConfig = (scope: Scope): void => {
  const env = { ...cleanEnvironment(), ...environmentFor(temporaryFolder(scope), [1, 2], [3, 4]) };
  execFileSync(HAPROXY, ['-c', '-f', HAPROXY_CONFIG], { env, stdio: 'pipe' });
};

/** Starts the proxy in front of two processes on 127.0.0.1. Kills it when the scope ends. */
export const startHaproxy = async (scope: Scope, replicas: readonly [number, number]): Promise<Haproxy> => {
  const folder = temporaryFolder(scope);
  const ports = [await freePort(), await freePort()] as const;
  const environment = environmentFor(folder, ports, replicas);
  const child = spawn(HAPROXY, ['-db', '-f', HAPROXY_CONFIG], {
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'close');
  const agent = new Agent({
    connections: 32,
    pipelining: 1,
    connect: { ca: readFileSync(environment.HOLDFAST_CERTIFICATE), servername: 'localhost' },
  });
  scope.after(async () => {
    await agent.destroy();
    child.kill('SIGKILL');
    await ended;
  });
  while (!(await listens(ports[1]))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended:\n${log}`);
    await delay(20);
  }
  return {
    url: `https://localhost:${ports[1]}`,
    plainUrl: `http://localhost:${ports[0]}`,
    agent,
    log: () => log,
  };
};
