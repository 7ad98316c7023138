// Types and ranges of provider data. Invalid values are refused, never rounded, clamped or guessed.
import { isAddress } from '@solana/kit';
import { z } from 'zod';

const noNegativeZero = (value: number): number => (value === 0 ? 0 : value);

/** A finite number within a closed range. */
export const numberBetween = (least: number, most: number): z.ZodType<number> =>
  z.number().min(least).max(most).transform(noNegativeZero);

/** A whole number from 0 to `most`, which is at most 2^53 - 1. */
export const wholeNumberUpTo = (most: number): z.ZodType<number> =>
  z.int().min(0).max(most).transform(noNegativeZero);

/** Percent from 0 to 100. */
export const percent = numberBetween(0, 100);

/** Basis points from 0 to 10,000. */
export const basisPoints = wholeNumberUpTo(10_000);

/** An annual yield in percent. A value above 1,000 is a mistake of the provider. */
export const yieldPct = numberBetween(0, 1_000);

/** An epoch number. At two days per epoch, the limit is reached in 5,000 years. */
export const epochNumber = wholeNumberUpTo(1_000_000);

/** Whole lamports from 0 to 10^18 (more SOL than will ever exist). Exact if parsed by `parseExact`. */
export const lamports: z.ZodType<bigint> = z
  .union([z.int(), z.bigint()])
  .transform(BigInt)
  .pipe(z.bigint().min(0n).max(1_000_000_000_000_000_000n));

/** A base58 address of 32 bytes. */
export const addressText: z.ZodType<string> = z
  .string()
  .max(44)
  .refine((text) => isAddress(text));

// Control and format characters. Line breaks can forge log lines, and direction marks can reverse displayed
// text.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Display text of at most `maxLength` characters. Control characters become spaces, and longer text is
 * truncated. Empty text is invalid.
 */
export const plainText = (maxLength: number): z.ZodType<string> =>
  z
    .string()
    .transform((text) =>
      // Bounds the work on very long text. A character has at most two UTF-16 units, so four times the limit
      // leaves room for the characters that are removed.
      [
        ...text
          .slice(0, maxLength * 4)
          .toWellFormed()
          .replace(unprintable, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ]
        .slice(0, maxLength)
        .join('')
        .trim(),
    )
    .pipe(z.string().min(1));

/** A normalized http(s) URL of at most 2,048 characters without user info. */
export const webUrl: z.ZodType<string> = z
  .string()
  .max(2_048)
  .transform((text, issues) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
    issues.addIssue('must be an http(s) URL');
    return z.NEVER;
  });
