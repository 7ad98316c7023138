// Schemas of the discovery documents, written independently from their specifications, so the checks share no
// code with the generator.
import { z } from 'zod';

const text = z.string().min(1);
const url = z.url();
const mediaType = z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/);

const skill = z.strictObject({
  id: text,
  name: text,
  description: text,
  tags: z.array(text),
  examples: z.array(text).optional(),
  inputModes: z.array(mediaType).optional(),
  outputModes: z.array(mediaType).optional(),
});

const extension = z.strictObject({
  uri: z.string().regex(/^[a-z][a-z0-9+.-]*:/),
  description: text.optional(),
  required: z.boolean().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

/** `AgentCard` of A2A 0.3. */
export const agentCard = z.strictObject({
  name: text,
  description: text,
  version: text,
  documentationUrl: url.optional(),
  iconUrl: url.optional(),
  defaultInputModes: z.array(mediaType).min(1),
  defaultOutputModes: z.array(mediaType).min(1),
  skills: z.array(skill).min(1),
  protocolVersion: z.string().regex(/^0\.3\.\d+$/),
  url,
  preferredTransport: text.optional(),
  additionalInterfaces: z.array(z.strictObject({ url, transport: text })).optional(),
  supportsAuthenticatedExtendedCard: z.boolean().optional(),
  capabilities: z.strictObject({
    streaming: z.boolean().optional(),
    pushNotifications: z.boolean().optional(),
    stateTransitionHistory: z.boolean().optional(),
    extensions: z.array(extension).optional(),
  }),
});

/** `ServerDetail` of the MCP registry's schema of 2025-12-11, limited to what remote servers use. */
export const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: url.optional(),
  repository: z.strictObject({ url, source: text }).optional(),
  icons: z
    .array(
      z.strictObject({
        src: z.url({ protocol: /^https$/ }).max(255),
        mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
        sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)).optional(),
      }),
    )
    .optional(),
  remotes: z
    .array(
      z.strictObject({
        type: z.enum(['streamable-http', 'sse']),
        url: z.string().regex(/^https?:\/\/[^\s]+$/),
      }),
    )
    .min(1),
});

/** Splits `/llms.txt` into the parts that llmstxt.org specifies. Throws if it violates the format. */
export const parseLlmsIndex = (source: string) => {
  const [head, ...sections] = source.split(/^## /m);
  const opening = /^# (.+)\n\n> (.+)\n\n([\s\S]*)$/.exec(head as string);
  if (opening === null || /^#/m.test(opening[3] as string))
    throw new Error('the document does not start with a title, a summary and a text');
  return {
    title: opening[1] as string,
    summary: opening[2] as string,
    sections: sections.map((section) => {
      const [title, ...lines] = section.trim().split('\n');
      return {
        title: title as string,
        links: lines
          .filter((line) => line !== '')
          .map((line) => {
            const link = /^- \[(.+?)\]\((\S+)\)(?:: (.+))?$/.exec(line);
            if (link === null) throw new Error(`no link: ${line}`);
            return { name: link[1] as string, url: link[2] as string, note: link[3] ?? '' };
          }),
      };
    }),
  };
};
