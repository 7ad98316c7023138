// The operator's profile file: what may stand in it, and where a mistake is.
import { z } from 'zod';
import { nearestName } from '../../config/nearest-name.ts';
import { accentProblem } from './accent-colors.ts';

const line = (maxLength: number) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .min(1, 'must not be empty: leave it out instead')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'must not hold control characters')
    // Whoever shows it escapes it; this finds the mistake of who expects it to work.
    .regex(/^(?!.*<[a-z/!?])/i, 'must be plain text: markup is shown as it is written, never carried out');

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

/** The picture is fetched from there; anything else is a file beside the profile. */
export const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(place);

const place = (what: string) =>
  line(1_024)
    .refine((value) => !isUrl(value) || what === 'logo', {
      message: 'must be a file: it is served to others',
    })
    .refine((value) => !isUrl(value) || URL.parse(value)?.protocol === 'https:', {
      message: 'must be an https URL, or a file',
    })
    .nullable()
    .default(null);

const COLOR = /^#[0-9a-f]{6}$/i;

const color = z
  .string({ error: 'must be a colour such as "#0b6e5b"' })
  .regex(COLOR, 'must be a colour such as "#0b6e5b"')
  .toLowerCase();

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

const accentColor = z
  .union([color, object({ light: color.optional(), dark: color.optional() })], {
    error: 'must be a colour such as "#0b6e5b", or {"light": "#…", "dark": "#…"}',
  })
  .superRefine((accent, ctx) => {
    // What is no colour has no contrast to be told of.
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

/** The file's content: every member may be absent and is null then; members that are not listed are mistakes. */
export const profileSchema = object({
  name: text(100).meta({
    description: "The validator's name: title, header and share texts of the page, and the API.",
  }),
  website: webUrl.meta({ description: "The operator's site." }),
  description: text(1_000).meta({
    description: 'What the validator is; shown where links to the page are previewed.',
  }),
  logo: place('logo').meta({
    description:
      'A file beside this one (PNG, JPEG, GIF, WebP or SVG, at most 256 KiB) or an https URL, from which the service fetches a PNG, JPEG, GIF or WebP.',
  }),
  icon: webUrl.meta({ description: 'The older name of a logo given as a URL; `logo` goes before it.' }),
  accentColor: accentColor.meta({
    description:
      'Colour of buttons and links, `#rrggbb`, or one for each theme; a theme without one gets the nearest shade of the other that can be read on it. Refused where it cannot be read (contrast below 4.5).',
  }),
  hero: text(160).meta({ description: "The sentence under the page's first heading." }),
  links: list(
    object({
      label: line(30),
      url: url(/^(https|mailto):$/, 'must be an https or mailto URL without user info'),
    }),
    8,
  ).meta({ description: 'Links at the foot of the page.' }),
  terms: url(/^https:$/, 'must be an https URL without user info')
    .nullable()
    .default(null)
    .meta({ description: 'Where your terms of use are.' }),
  faq: list(object({ question: line(150), answer: line(1_000) }), 20).meta({
    description: 'Questions and answers under the form.',
  }),
  preview: place('preview').meta({
    description:
      'A file (PNG, JPEG or WebP, at most 1 MiB, best 1200 by 630) shown where links to the page are previewed.',
  }),
  poweredBy: z
    .boolean({ error: 'must be true or false' })
    .default(true)
    .meta({ description: 'Whether the foot of the page says "Powered by Holdfast".' }),
  location: text(100).meta({ description: 'Where the machine is, e.g. "Frankfurt, Germany".' }),
  hardware: hardwareSchema.nullable().default(null).meta({ description: 'The machine.' }),
  $schema: text(2_048).meta({ description: 'For editors: where this schema is.' }),
});

/** What the operator says about the validator; null is "not said". */
export type OperatorProfile = z.output<typeof profileSchema>;

/** One line per mistake: `hardware.datacenter.city: must be text`. */
export const describeProblems = (error: z.ZodError): readonly string[] =>
  error.issues.map(({ path, message }) => `${path.length === 0 ? 'the file' : path.join('.')}: ${message}`);

/** The schema of the file for editors and checkers; without what only the start checks (contrast, pictures). */
export const profileJsonSchema = (id: string): object => ({
  $id: id,
  title: 'The operator profile of a Holdfast service',
  ...z.toJSONSchema(profileSchema, { io: 'input' }),
});
