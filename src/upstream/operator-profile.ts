// Reads the operator's profile file, again whenever it changes; an invalid file is reported as such.
import { open, stat } from 'node:fs/promises';
import { describeProblems, type OperatorProfile, profileSchema } from './operator-profile-schema.ts';

/** The profile, or what is wrong with the file: one line a mistake, without the file's path or content. */
export type ProfileReading =
  | { readonly ok: true; readonly profile: OperatorProfile }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A place to read the profile from. */
export interface ProfileFile {
  /** Never throws but the signal's reason. Costs one `stat` while the file stays the same. */
  readonly read: (signal: AbortSignal) => Promise<ProfileReading>;
}

/** A profile has about 2 kB; what is longer is another file. */
const MAX_BYTES = 64 * 1024;

const NOTHING_SAID: ProfileReading = { ok: true, profile: profileSchema.parse({}) };

const broken = (...problems: string[]): ProfileReading => ({ ok: false, problems });

const parseProfile = (text: string): ProfileReading => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return broken('the file: is not JSON');
  }
  const result = profileSchema.safeParse(json);
  return result.success ? { ok: true, profile: result.data } : broken(...describeProblems(result.error));
};

const readFile = async (path: string): Promise<ProfileReading> => {
  await using handle = await open(path, 'r');
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > MAX_BYTES) return broken(`the file: is longer than ${MAX_BYTES} bytes`);
  const text = new TextDecoder().decode(buffer.subarray(0, length));
  return parseProfile(text);
};

const problemOf = (error: unknown): string => {
  switch ((error as { code?: unknown }).code) {
    case 'ENOENT':
      return 'the file: does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'the file: may not be read by this user';
    case 'EISDIR':
      return 'the file: is a folder';
    default:
      return 'the file: cannot be read';
  }
};

/** What changes with the file; size and i-node catch a second change within one tick of the file system's clock. */
const stampOf = async (path: string): Promise<string> => {
  const info = await stat(path, { bigint: true });
  if (!info.isFile())
    throw Object.assign(new Error('not a file'), { code: info.isDirectory() ? 'EISDIR' : '' });
  return [info.mtimeNs, info.ctimeNs, info.size, info.ino].join(' ');
};

/** Without a path nothing is said and every member is null. A path whose file is missing or broken is a mistake, reported at each read. */
export const createProfileFile = (path: string | undefined): ProfileFile => {
  let underWay: Promise<ProfileReading> | null = null;
  let last: { readonly stamp: string; readonly reading: ProfileReading } | undefined;
  const refresh = async (file: string): Promise<ProfileReading> => {
    try {
      const stamp = await stampOf(file);
      // The stamp is taken before the content: a change in between is seen by the next read.
      if (last?.stamp !== stamp) last = { stamp, reading: await readFile(file) };
      return last.reading;
    } catch (error) {
      return broken(problemOf(error));
    }
  };
  return {
    read: async (signal) => {
      signal.throwIfAborted();
      if (path === undefined) return NOTHING_SAID;
      underWay ??= refresh(path).finally(() => {
        underWay = null;
      });
      return await underWay;
    },
  };
};
