// Adds notices to a response: as sentences in `warnings` and as data in `notices`.
import { z } from 'zod';
import { type Notice, noticeCodes, noticeSeverities, rankedNotices } from '../domain/notice.ts';
import { sentenceParamsSchema } from './shared-schemas.ts';

/** A notice. */
export const noticeSchema = z
  .object({
    code: z.enum(noticeCodes),
    severity: z.enum(noticeSeverities),
    text: z.string(),
    params: sentenceParamsSchema,
  })
  .meta({ id: 'Notice', description: 'A warning as data.' });

export const noticesMembers = {
  warnings: z.array(z.string()).meta({ description: 'The texts of notices.' }),
  notices: z
    .array(noticeSchema)
    .meta({ description: 'Most severe first. If a notice is critical, read it before you stake.' }),
};

/** Returns the response fields for notices. Each notice appears once, the most severe first. */
export const noticesBody = (notices: readonly Notice[]) => {
  const ranked = rankedNotices(notices);
  return {
    warnings: ranked.map(({ text }) => text),
    notices: ranked.map((one) => ({ ...one, params: { ...one.params } })),
  };
};
