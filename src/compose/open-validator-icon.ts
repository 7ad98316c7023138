// Caches the validator's picture, of at most 256 KiB. Fetches it over a guarded connection from a URL set by
// its operator or a provider.
import { Agent, request } from 'undici';
import { createCallbackIpRules } from '../events/callbacks/callback-ip-rules.ts';
import type { CallbackUrlRules } from '../events/callbacks/callback-url-rules.ts';
import { guardedConnector } from '../events/callbacks/guarded-agent.ts';
import { createNameResolver } from '../events/callbacks/guarded-dns-lookup.ts';
import { outcomeOfError } from '../events/delivery/attempt-outcome.ts';
import { patternOf } from '../http/pages/validator-icon-target.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { type Picture, recognizePicture } from '../upstream/profile/picture.ts';

/** Dependencies. */
export interface OpenIconOptions {
  readonly voteAccount: string;
  /** Returns the URL of the picture; null if there is none. May reject. */
  readonly findUrl: (signal: AbortSignal) => Promise<string | null>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: `isPublicWeb`. */
  readonly mayReach?: CallbackUrlRules['mayReach'];
}

interface Icon {
  /**
   * Returns the picture, or a pattern until it is loaded. Never waits: an old picture is refreshed in the
   * background.
   */
  readonly current: () => Picture;
  /** Returns the reason why the last fetch failed; null if it succeeded or there is no picture. */
  readonly problem: () => string | null;
  /** Makes the next `current` call fetch again, because the URL may have changed. */
  readonly lookAgain: () => void;
  /** Resolves once no fetch is in progress. For tests. */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const MAX_BYTES = 256 * 1024;
const NO_PICTURE = 'the logo’s URL did not return a PNG, JPEG, GIF or WebP of at most 256 KiB';
const FETCH_TIMEOUT_MS = 10_000;
const FRESH_MS = 6 * 3_600_000;
/** Delay, in ms, before the next attempt after a failure. It is long, because the picture is not important. */
const PATIENCE_MS = 15 * 60_000;

const checkAddress = createCallbackIpRules({ allowCidrs: [], bindsLoopback: false });

/** Allows only public addresses over HTTPS on port 443. */
export const isPublicWeb: CallbackUrlRules['mayReach'] = ({ address, protocol, port }) =>
  checkAddress(address) === 'public' && protocol === 'https:' && port === 443;

/** Returns the picture, or a message that explains why there is none. */
const fetchPicture = async (url: string, agent: Agent, signal: AbortSignal): Promise<Picture | string> => {
  const response = await request(url, {
    dispatcher: agent,
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]),
    headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': 'identity' },
  });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > MAX_BYTES) return NO_PICTURE;
    chunks.push(chunk);
  }
  if (response.statusCode !== 200) return `the logo’s URL responded with status ${response.statusCode}`;
  return recognizePicture(Buffer.concat(chunks)) ?? NO_PICTURE;
};

/** Opens the icon, which is fetched on first use. The caller closes it. */
export const openIcon = ({
  voteAccount,
  findUrl,
  clock,
  logger,
  mayReach = isPublicWeb,
}: OpenIconOptions): Icon => {
  const lifetime = new AbortController();
  const agent = new Agent({
    connect: guardedConnector({ mayReach, resolve: createNameResolver({ hostsFile: false }) }),
    connections: 1,
  });
  const pattern = patternOf(voteAccount);
  let picture = pattern;
  let nextFetchMs = clock.steadyNow();
  let looking: Promise<void> | undefined;
  /** True if the URL may have changed since the last fetch began. */
  let isStale = false;
  let problem: string | null = null;

  /**
   * Logs the failure without the URL, which may belong to a provider, and without the error message, which
   * could quote the URL.
   */
  const fail = (words: string): void => {
    problem = words;
    logger.warn(`${words}: ${picture === pattern ? 'a pattern' : 'the previous picture'} is shown`);
  };

  const look = async (): Promise<void> => {
    isStale = false;
    try {
      const url = await findUrl(lifetime.signal);
      const found = url === null ? null : await fetchPicture(url, agent, lifetime.signal);
      const isFound = found !== null && typeof found !== 'string';
      if (isFound) picture = found;
      if (typeof found === 'string') fail(found);
      else problem = null;
      nextFetchMs = clock.steadyNow() + (isFound ? FRESH_MS : PATIENCE_MS);
    } catch (error) {
      nextFetchMs = clock.steadyNow() + PATIENCE_MS;
      if (!lifetime.signal.aborted)
        fail(`the logo could not be fetched from its URL (${outcomeOfError(error)})`);
    }
  };

  return {
    current: () => {
      if (looking === undefined && clock.steadyNow() >= nextFetchMs)
        looking = look().finally(() => {
          looking = undefined;
          if (isStale) nextFetchMs = clock.steadyNow();
        });
      return picture;
    },
    problem: () => problem,
    lookAgain: () => {
      isStale = true;
      nextFetchMs = clock.steadyNow();
    },
    settled: async () => looking,
    close: async () => {
      lifetime.abort(new Error('the service stopped'));
      await looking;
      await agent.destroy();
    },
  };
};
