// Schema of the operator's profile file, with messages that say where each mistake is.
import { z } from 'zod';
import { nearestName } from '../../config/nearest-name.ts';
import { accentProblem } from './accent-colors.ts';

const line = (maxLength: number) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .min(1, 'must not be empty; omit it instead')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'must not contain control characters')
    // Everything is escaped on output anyway. This check informs operators who expect markup to work.
    .regex(/^(?!.*<[a-z/!?])/i, 'must be plain text: markup is displayed literally');

const text = (maxLength: number) => line(maxLength).nullable().default(null);

const url = (protocols: RegExp, message: string) =>
  z
    .string({ error: 'must be text' })
    .max(2_048, 'must have at most 2048 characters')
    .refine(
      (value) => {
        const parsed = URL.parse(value);
        return parsed !== null && protocols.test(parsed.protocol) && !parsed.username && !parsed.password;
      },
      { message },
    );

const webUrl = url(/^https?:$/, 'must be an http(s) URL without user info')
  .nullable()
  .default(null);

/** Returns true for URLs, which are fetched. Anything else is a file in the profile's folder. */
export const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place);

const place = (what: string) =>
  line(1_024)
    .refine((value) => !isUrl(value) || what === 'logo', {
      message: 'must be a file, because it is served to others',
    })
    .refine((value) => !isUrl(value) || URL.parse(value)?.protocol === 'https:', {
      message: 'must be an https URL, or a file',
    })
    .nullable()
    .default(null);

const COLOR = /^#[0-9a-f]{6}$/i;

const color = z
  .string({ error: 'must be a color such as "#0b6e5b"' })
  .regex(COLOR, 'must be a color such as "#0b6e5b"')
  .toLowerCase();

/** Returns the unknown name, followed by the most similar known name, if any. */
const unknownMember = (name: string, known: readonly string[]): string => {
  const meant = nearestName(name, known);
  return meant === undefined ? name : `${name} (did you mean ${meant}?)`;
};

const object = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${(issue.keys ?? []).map((key) => unknownMember(String(key), Object.keys(shape))).join(', ')}; allowed fields: ${Object.keys(shape).join(', ')}`
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
      .array(line(100), { error: 'must be a list of strings' })
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

const accentColor = z
  .union([color, object({ light: color.optional(), dark: color.optional() })], {
    error: 'must be a color such as "#0b6e5b", or {"light": "#…", "dark": "#…"}',
  })
  .superRefine((accent, ctx) => {
    // Invalid colors have no contrast to report.
    const isColored = Object.values(typeof accent === 'string' ? [accent] : accent).every(
      (value) => value === undefined || COLOR.test(value),
    );
    const problem = isColored ? accentProblem(accent) : null;
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
  })
  .nullable()
  .default(null);

const list = <T extends z.ZodType>(entry: T, atMost: number) =>
  z
    .array(entry, { error: 'must be a list' })
    .max(atMost, `must have at most ${atMost} entries`)
    .default([] as never);

/**
 * Content of the file. Absent fields get their default, which is null for most. Unknown fields are errors.
 */
export const profileSchema = object({
  name: text(100).meta({
    description: "The validator's name: title, header and share texts of the page, and the API.",
  }),
  website: webUrl.meta({ description: "The operator's site." }),
  description: text(1_000).meta({
    description: 'Description of the validator, shown in link previews of the page.',
  }),
  logo: place('logo').meta({
    description:
      'A file next to this one (PNG, JPEG, GIF, WebP or SVG, at most 256 KiB) or an https URL from which the service fetches a PNG, JPEG, GIF or WebP.',
  }),
  icon: webUrl.meta({ description: 'Older name for a logo given as a URL; `logo` takes precedence.' }),
  accentColor: accentColor.meta({
    description:
      'Color of buttons and links, `#rrggbb`, or one for each theme; a theme without a color gets the nearest readable shade of the other. Refused if it is not readable (contrast below 4.5).',
  }),
  hero: text(160).meta({ description: "The sentence under the page's first heading." }),
  links: list(
    object({
      label: line(30),
      url: url(/^(https|mailto):$/, 'must be an https or mailto URL without user info'),
    }),
    8,
  ).meta({ description: 'Links in the page footer.' }),
  terms: url(/^https:$/, 'must be an https URL without user info')
    .nullable()
    .default(null)
    .meta({ description: 'URL of your terms of use.' }),
  faq: list(object({ question: line(150), answer: line(1_000) }), 20).meta({
    description: 'Questions and answers below the form.',
  }),
  preview: place('preview').meta({
    description:
      'A file (PNG, JPEG or WebP, at most 1 MiB, ideally 1200 by 630 pixels) shown in link previews of the page.',
  }),
  poweredBy: z
    .boolean({ error: 'must be true or false' })
    .default(true)
    .meta({ description: 'Set this to false to remove "Powered by Holdfast" from the page footer.' }),
  location: text(100).meta({ description: 'Location of the machine, e.g. "Frankfurt, Germany".' }),
  hardware: hardwareSchema.nullable().default(null).meta({ description: 'The machine.' }),
  $schema: text(2_048).meta({ description: 'URL of this schema, for editors.' }),
});

/** The operator's statements about the validator. Null for statements that were not made. */
export type OperatorProfile = z.output<typeof profileSchema>;

/** Describes each mistake in one line, for example `hardware.datacenter.city: must be text`. */
export const describeProblems = (error: z.ZodError): readonly string[] =>
  error.issues.map(({ path, message }) => `${path.length === 0 ? 'the file' : path.join('.')}: ${message}`);

/**
 * Schema of the file for editors and validators. It does not cover contrast and pictures, which only the
 * service can check.
 */
export const profileJsonSchema = (id: string): object => ({
  $id: id,
  title: 'The operator profile of a Holdfast service',
  ...z.toJSONSchema(profileSchema, { io: 'input' }),
});
