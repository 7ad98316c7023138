// Reads the operator's profile file and its pictures, and rereads them after every change. Reports invalid
// files.
import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { jsonSyntaxProblem } from './json-syntax.ts';
import { describeProblems, isUrl, type OperatorProfile, profileSchema } from './operator-profile-schema.ts';
import { type Picture, recognizeLogo, recognizePicture } from './picture.ts';

/** The profile, and the pictures that are files; null for other pictures. */
export interface ReadProfile {
  readonly profile: OperatorProfile;
  readonly logo: Picture | null;
  readonly preview: Picture | null;
}

/** The profile or the mistakes in it: one line each, without the path or the content of the file. */
export type ProfileOrMistakes =
  | ({ readonly ok: true } & ReadProfile)
  | { readonly ok: false; readonly problems: readonly string[] };

export interface ProfileFile {
  /**
   * Reads the profile. Rejects only if `signal` is aborted. While nothing has changed, a read costs one
   * `stat` for the file and one for each picture.
   */
  readonly read: (signal: AbortSignal) => Promise<ProfileOrMistakes>;
}

/** Maximum length of the file. A profile has about 2 kB; a longer file is not a profile. */
const MAX_BYTES = 64 * 1024;

/** Picture types that all social networks accept in previews. */
const PREVIEW_KINDS = ['image/png', 'image/jpeg', 'image/webp'];

const PICTURES = {
  logo: {
    maxKiB: 256,
    recognize: recognizeLogo,
    kinds: 'PNG, JPEG, GIF, WebP or SVG',
  },
  preview: {
    maxKiB: 1_024,
    recognize: (bytes: Buffer) => {
      const picture = recognizePicture(bytes);
      return picture !== null && PREVIEW_KINDS.includes(picture.contentType) ? picture : null;
    },
    kinds: 'PNG, JPEG or WebP',
  },
} as const;

/** Creates a successful result with only the given fields. */
export const profileWithFields = (
  said: Partial<OperatorProfile>,
): ProfileOrMistakes & { readonly ok: true } => ({
  ok: true,
  profile: { ...profileSchema.parse({}), ...said },
  logo: null,
  preview: null,
});

const broken = (...problems: string[]): ProfileOrMistakes => ({ ok: false, problems });

/** Reads the file, or returns null if it is longer than `maxBytes`. Rejects with the system's error. */
const readUpTo = async (path: string, maxBytes: number): Promise<Buffer | null> => {
  await using handle = await open(path, 'r');
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length > maxBytes ? null : Buffer.from(buffer.subarray(0, length));
};

const ABSENT = 'does not exist';

const problemOf = (error: unknown): string => {
  switch ((error as { code?: unknown }).code) {
    case 'ENOENT':
      return ABSENT;
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read by this user';
    case 'EISDIR':
      return 'is a folder';
    default:
      return 'cannot be read';
  }
};

type PictureName = keyof typeof PICTURES;

/** Returns the paths of picture files by field. Omits pictures that are URLs, missing or invalid. */
const picturePaths = (
  file: string,
  members: Readonly<Record<string, unknown>>,
): Partial<Record<PictureName, string>> =>
  Object.fromEntries(
    (Object.keys(PICTURES) as PictureName[]).flatMap((name) => {
      const place = profileSchema.shape[name].safeParse(members[name]).data ?? null;
      return place === null || isUrl(place) ? [] : [[name, resolve(dirname(file), place)]];
    }),
  );

/** Returns the picture, or the problem with its file. */
const readPicture = async (name: PictureName, path: string | undefined): Promise<Picture | string | null> => {
  if (path === undefined) return null;
  const { maxKiB, recognize, kinds } = PICTURES[name];
  try {
    const bytes = await readUpTo(path, maxKiB * 1_024);
    if (bytes === null) return `${name}: the file is longer than ${maxKiB} KiB`;
    return recognize(bytes) ?? `${name}: the file is not a picture (${kinds})`;
  } catch (error) {
    const problem = problemOf(error);
    const hint = problem === ABSENT ? " (relative paths start in the profile's folder)" : '';
    return `${name}: the file ${problem}${hint}`;
  }
};

/**
 * Identifies a version of the file. Size and inode reveal a second change within one tick of the file
 * system's clock.
 */
const stampOf = async (path: string): Promise<string> => {
  const info = await stat(path, { bigint: true });
  if (!info.isFile())
    throw Object.assign(new Error('not a file'), { code: info.isDirectory() ? 'EISDIR' : '' });
  return [info.mtimeNs, info.ctimeNs, info.size, info.ino].join(' ');
};

/** Identifies the versions of all pictures, including missing ones. */
const stampOfPictures = async (paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map((path) => stampOf(path).catch(problemOf)))).join();

/**
 * Parsed content of a file, and the picture files on which it depends, with their stamp from before they were
 * read.
 */
interface Parsed {
  readonly reading: ProfileOrMistakes;
  readonly paths: readonly string[];
  readonly pictureStamp: string;
}

const withoutPictures = (reading: ProfileOrMistakes): Parsed => ({ reading, paths: [], pictureStamp: '' });

const parseProfile = async (file: string, text: string): Promise<Parsed> => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return withoutPictures(broken(`the file: is not JSON: ${jsonSyntaxProblem(text)}`));
  }
  const result = profileSchema.safeParse(json);
  // Checks the pictures even if there are other mistakes, so that the operator sees all of them.
  const places = picturePaths(file, (json ?? {}) as Readonly<Record<string, unknown>>);
  const paths = Object.values(places);
  const pictureStamp = await stampOfPictures(paths);
  const [logo, preview] = await Promise.all([
    readPicture('logo', places.logo),
    readPicture('preview', places.preview),
  ]);
  if (result.success && typeof logo !== 'string' && typeof preview !== 'string')
    return { reading: { ok: true, profile: result.data, logo, preview }, paths, pictureStamp };
  const problems = [
    ...(result.success ? [] : describeProblems(result.error)),
    ...[logo, preview].filter((picture) => typeof picture === 'string'),
  ];
  return { reading: broken(...problems), paths, pictureStamp };
};

/** Opens a profile file. Reports a missing or broken file on each read. */
export const createProfileFile = (path: string): ProfileFile => {
  let underWay: Promise<ProfileOrMistakes> | null = null;
  let last: (Parsed & { readonly stamp: string }) | undefined;
  const refresh = async (file: string): Promise<ProfileOrMistakes> => {
    try {
      // Taken before the content is read, so that the next read notices a change in between.
      const stamp = await stampOf(file);
      if (last?.stamp === stamp && last.pictureStamp === (await stampOfPictures(last.paths)))
        return last.reading;
      const bytes = await readUpTo(file, MAX_BYTES);
      const parsed =
        bytes === null
          ? withoutPictures(broken(`the file: is longer than ${MAX_BYTES} bytes`))
          : await parseProfile(file, new TextDecoder().decode(bytes));
      last = { ...parsed, stamp };
      return parsed.reading;
    } catch (error) {
      return broken(`the file: ${problemOf(error)}`);
    }
  };
  return {
    read: async (signal) => {
      signal.throwIfAborted();
      underWay ??= refresh(path).finally(() => {
        underWay = null;
      });
      return await underWay;
    },
  };
};
