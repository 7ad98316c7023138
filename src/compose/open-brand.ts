// Opens the operator's brand and logo and refreshes them when the profile file changes. Reports invalid files
// and changes in the log and the health report.
import { type CurrentBrand, createBrand } from '../http/pages/brand/current-brand.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { runRepeatedly } from '../kernel/run-repeatedly.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import { describeProfile } from '../upstream/profile/describe-profile.ts';
import { isUrl } from '../upstream/profile/operator-profile-schema.ts';
import type { Picture } from '../upstream/profile/picture.ts';
import type { ValidatorSources } from '../validator/validator-sources.ts';
import { type OpenIconOptions, openIcon } from './open-validator-icon.ts';

/** Dependencies. */
interface OpenBrandOptions {
  readonly sources: Pick<ValidatorSources, 'profile' | 'network'>;
  /**
   * True if the operator configured a profile file. Otherwise, the profile is neither polled nor included in
   * the health report, because operators cannot fix the sandbox's example or on-chain data.
   */
  readonly hasFile: boolean;
  readonly isSandbox: boolean;
  readonly voteAccount: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mayReach?: OpenIconOptions['mayReach'];
}

export interface OpenedBrand {
  readonly current: CurrentBrand;
  readonly logo: () => Promise<Picture>;
  /** Returns null if the operator configured no file. */
  readonly health: () => Promise<DependencyHealth | null>;
  readonly close: () => Promise<void>;
}

/**
 * Poll interval of the profile file, in ms. Polling reports a change even if no one opens the page, and costs a
 * few `stat` calls.
 */
const LOOK_MS = 5_000;

/** Opens the brand and the logo. The caller closes them. */
export const openBrand = ({
  sources,
  hasFile,
  isSandbox,
  voteAccount,
  clock,
  logger,
  mayReach,
}: OpenBrandOptions): OpenedBrand => {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  /** Returns the URL of the operator's logo; null if it is a file or not configured. */
  const ownUrl = async (): Promise<string | null> => {
    const reading = await sources.profile.read(signal);
    const place = reading.ok ? (reading.profile.logo ?? reading.profile.icon) : null;
    return place !== null && isUrl(place) ? place : null;
  };
  const icon = openIcon({
    voteAccount,
    findUrl: async (asking) => {
      // A sandbox connects only to Internet hosts that its operator configured.
      const own = await ownUrl();
      if (own !== null) return hasFile || !isSandbox ? own : null;
      return isSandbox ? null : ((await sources.network?.validator(asking))?.value?.iconUrl ?? null);
    },
    clock,
    logger,
    ...(mayReach && { mayReach }),
  });
  const current = createBrand(sources.profile, (reading) => {
    if (!reading.ok)
      logger.warn(
        { problems: reading.problems },
        'the operator profile is no longer valid; still using the last valid one',
      );
    else {
      icon.lookAgain();
      if (hasFile)
        logger.info({ profile: describeProfile(reading.profile) }, 'the operator profile was reloaded');
    }
  });
  const reread = async (): Promise<void> => {
    await current();
    // Reports an invalid URL to the operator before a visitor notices the missing picture.
    if ((await ownUrl().catch(() => null)) !== null) icon.current();
  };
  const watching = hasFile
    ? runRepeatedly('operator profile', LOOK_MS, reread, { clock, logger, signal }).ended
    : Promise.resolve();
  return {
    current,
    logo: async () => (await current()).logo ?? icon.current(),
    health: async () => {
      if (!hasFile) return null;
      const reading = await sources.profile.read(signal);
      const remote = reading.ok && (await ownUrl()) !== null ? icon.problem() : null;
      const problems = [
        ...(reading.ok ? [] : [...reading.problems, 'still using the last valid profile']),
        ...(remote === null ? [] : [remote]),
      ];
      return {
        ok: problems.length === 0,
        optional: true,
        ageSeconds: 0,
        error: problems.length === 0 ? null : problems.join('; '),
        details: reading.ok ? { shown: describeProfile(reading.profile) } : {},
      };
    },
    close: async () => {
      lifetime.abort(new Error('the service stopped'));
      await watching;
      await icon.close();
    },
  };
};
