// The operator's profile if no file is configured: the on-chain validator info, limited to what a file may
// contain.
import type { ValidatorInfo } from '../chain/validator/validator-info.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { type ProfileFile, profileWithFields } from '../upstream/profile/operator-profile.ts';
import { profileSchema } from '../upstream/profile/operator-profile-schema.ts';

const FRESH_MS = 6 * 3_600_000;
const AFTER_FAILURE_MS = 5 * 60_000;
/**
 * Maximum wait for the first read. If it takes longer, only later pages and responses contain the profile.
 */
const MAX_WAIT_MS = 2_000;

const { name, website, description, icon } = profileSchema.shape;

const orNull = <T>(parsed: { success: boolean; data?: T }): T | null => parsed.data ?? null;

const profileOf = (info: ValidatorInfo | null) =>
  profileWithFields({
    name: orNull(name.safeParse(info?.name)),
    website: orNull(website.safeParse(info?.website)),
    description: orNull(description.safeParse(info?.details)),
    icon: orNull(icon.safeParse(info?.iconUrl)),
  });

/**
 * Creates the profile. Reads nothing before the first request. Drops content that a file may not contain,
 * such as markup and other URLs.
 */
export const createOnChainProfile = ({
  readInfo,
  lifetime,
  clock,
  logger,
}: {
  /** Reads the validator info. May reject. */
  readonly readInfo: (signal: AbortSignal) => Promise<ValidatorInfo | null>;
  readonly lifetime: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}): ProfileFile => {
  let reading = profileWithFields({});
  let isRead = false;
  let nextReadMs = clock.steadyNow();
  let underWay: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    try {
      reading = profileOf(await readInfo(lifetime));
      isRead = true;
      nextReadMs = clock.steadyNow() + FRESH_MS;
    } catch (error) {
      nextReadMs = clock.steadyNow() + AFTER_FAILURE_MS;
      if (!lifetime.aborted) logger.debug({ err: error }, 'could not read the validator info');
    }
  };
  return {
    read: async (signal) => {
      signal.throwIfAborted();
      if (underWay === undefined && clock.steadyNow() >= nextReadMs)
        underWay = refresh().finally(() => {
          underWay = undefined;
        });
      if (!isRead && underWay !== undefined) await Promise.race([underWay, clock.sleep(MAX_WAIT_MS, signal)]);
      return reading;
    },
  };
};
