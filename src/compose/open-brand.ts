// Opens what people see of the operator: brand and logo, kept up with the profile file; says in log and health when that file breaks or changes.
import { type CurrentBrand, createBrand } from '../http/pages/brand/brand.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { runRepeatedly } from '../kernel/run-elected.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import { describeProfile } from '../upstream/profile/describe-profile.ts';
import { isUrl } from '../upstream/profile/operator-profile-schema.ts';
import type { Picture } from '../upstream/profile/picture.ts';
import type { ValidatorSources } from '../validator/validator-sources.ts';
import { type OpenIconOptions, openIcon } from './open-validator-icon.ts';

/** What it is made from. */
interface OpenBrandOptions {
  readonly sources: Pick<ValidatorSources, 'profile' | 'network'>;
  /** Whether the operator named a file; the sandbox's example and what the chain says are nobody's mistake. */
  readonly hasFile: boolean;
  readonly isSandbox: boolean;
  readonly voteAccount: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mayReach?: OpenIconOptions['mayReach'];
}

/** Brand and logo as they are now. */
export interface OpenedBrand {
  readonly current: CurrentBrand;
  readonly logo: () => Promise<Picture>;
  /** Null where the operator named no file. */
  readonly health: () => Promise<DependencyHealth | null>;
  readonly close: () => Promise<void>;
}

/** How soon a change of the file is told where nobody opens the page, ms. A look is a few `stat`. */
const LOOK_MS = 5_000;

/** The caller closes it. */
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
  /** Where the operator says that the logo is; null: in a file, or nowhere. */
  const ownUrl = async (): Promise<string | null> => {
    const reading = await sources.profile.read(signal);
    const place = reading.ok ? (reading.profile.logo ?? reading.profile.icon) : null;
    return place !== null && isUrl(place) ? place : null;
  };
  const icon = openIcon({
    voteAccount,
    findUrl: async (asking) => {
      // A sandbox asks nobody on the Internet but whom its operator names.
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
        'the operator profile is not valid any more; the last valid one is shown',
      );
    else {
      icon.lookAgain();
      if (hasFile)
        logger.info({ profile: describeProfile(reading.profile) }, 'the operator profile was read again');
    }
  });
  const reread = async (): Promise<void> => {
    await current();
    // The operator should hear of a wrong URL before a visitor misses the picture.
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
        ...(reading.ok ? [] : [...reading.problems, 'the last valid profile is shown']),
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
