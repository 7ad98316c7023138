// The operator's profile file: what may stand in it, and where a mistake is.
import { z } from 'zod';
import { nearestName } from '../config/nearest-name.ts';

const line = (maxLength: number) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .min(1, 'must not be empty: leave it out instead')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

const text = (maxLength: number) => line(maxLength).nullable().default(null);

const webUrl = z
  .string({ error: 'must be text' })
  .max(2_048, 'must have at most 2048 characters')
  .refine(
    (value) => {
      const url = URL.parse(value);
      return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
    },
    { message: 'must be an http(s) URL without user info' },
  )
  .nullable()
  .default(null);

/** The name, and the known one that was most likely meant. */
const unknownMember = (name: string, known: readonly string[]): string => {
  const meant = nearestName(name, known);
  return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
};

const object = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `does not know ${(issue.keys ?? []).map((key) => unknownMember(String(key), Object.keys(shape))).join(', ')}; it may hold ${Object.keys(shape).join(', ')}`
        : 'must be an object',
  });

const hardwareSchema = object({
  cpu: text(200),
  memory: text(200),
  storage: text(200),
  network: text(200),
  datacenter: object({
    name: text(100),
    city: text(80),
    country: text(80),
    certifications: z
      .array(line(100), { error: 'must be a list of texts' })
      .max(50, 'must have at most 50 entries')
      .default([]),
  })
    .nullable()
    .default(null),
  redundancy: object({
    standby: z.boolean({ error: 'must be true or false' }).nullable().default(null),
    description: text(1_000),
  })
    .nullable()
    .default(null),
  software: text(200),
});

/** The file's content: every member may be absent and is null then; members that are not listed are mistakes. */
export const profileSchema = object({
  name: text(100),
  website: webUrl,
  description: text(1_000),
  icon: webUrl,
  location: text(100),
  hardware: hardwareSchema.nullable().default(null),
});

/** What the operator says about the validator; null is "not said". */
export type OperatorProfile = z.output<typeof profileSchema>;

/** One line per mistake: `hardware.datacenter.city: must be text`. */
export const describeProblems = (error: z.ZodError): readonly string[] =>
  error.issues.map(({ path, message }) => `${path.length === 0 ? 'the file' : path.join('.')}: ${message}`);
