// Searches for secrets everywhere a service could leave them: output, responses and files.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A secret and the name under which a test reports it. */
export interface Marked {
  readonly name: string;
  readonly secret: Buffer;
}

/** Returns the encodings in which a secret's bytes would be recognizable. */
export const spellingsOf = (name: string, bytes: Uint8Array, base58: string): Marked[] => {
  const raw = Buffer.from(bytes);
  const seed = raw.subarray(0, 32);
  const spelled = (spelling: string, text: string): Marked => ({
    name: `${name} as ${spelling}`,
    secret: Buffer.from(text),
  });
  return [
    { name: `${name} as raw seed`, secret: seed },
    spelled('base58', base58),
    // Fragments count too, because a truncated key in a message is still a leak.
    spelled('part of base58', base58.slice(8, 40)),
    spelled('hex', seed.toString('hex')),
    spelled('base64', seed.toString('base64').slice(0, 40)),
    spelled('JSON array', [...seed].join(',')),
  ];
};

/** Lists every secret that occurs in `haystack`, by name and location. */
export const findLeaks = (place: string, haystack: Buffer | string, secrets: readonly Marked[]): string[] => {
  const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : haystack;
  return secrets.filter(({ secret }) => bytes.includes(secret)).map(({ name }) => `${name} in ${place}`);
};

/** Searches every file below `folder`. */
export const findLeaksInFolder = (folder: string, secrets: readonly Marked[]): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .flatMap((path) => findLeaks(path, readFileSync(path), secrets));
