// Returns the source of one published file, as the bytes that this process loaded. Files are identified by name
// alone, so no path can be requested.

import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { defineOperation } from '../operation.ts';
import { PUBLISHED_FILES } from './published-files.ts';

/** `GET /api/v1/verify/source/{filename}` */
export const sourceFile = defineOperation({
  name: 'sourceFile',
  summary: 'Source of a file that this service is running',
  description:
    'Source of one published file as loaded at startup, with its SHA-256 in the header X-SHA256. Returns 404 for names that are not published or not part of this version.',
  effect: 'read',
  input: z.object({
    // Accepts any text, so unpublished names get the same response as files that do not exist.
    filename: z.string().meta({
      description: 'Name of a published file, without a path.',
      override: { type: 'string', enum: [...PUBLISHED_FILES] },
    }),
  }),
  output: z.object({
    filename: z.string(),
    sha256: z.string().meta({
      description: "SHA-256 of the file's bytes, hex.",
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    source: z.string().meta({ description: 'The file, UTF-8.' }),
  }),
  errors: ['NOT_FOUND'],
  presentation: { NOT_FOUND: { title: 'Source file not found' } },
  async run({ ctx, input }) {
    const file = ctx.service.source.files.get(input.filename);
    if (file === undefined) {
      throw new AppError('NOT_FOUND', 'This version does not publish a source file with this name.', {
        reason: 'NO_SOURCE_FILE',
        suggestedAction: guidance`See ${step('codeIntegrity')} for the names.`,
      });
    }
    return { body: { filename: file.name, sha256: file.sha256, source: file.text } };
  },
});
