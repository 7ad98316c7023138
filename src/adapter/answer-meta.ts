// Builds the `_meta` object that every JSON answer carries.
import type { MetaExtras } from '../operations/operation.ts';
import type { Endpoint } from './endpoint.ts';
import type { Guide } from './guidance.ts';

/** What is the same for every answer of the service. */
export interface MetaSource {
  /** URL of the documentation page, without fragment. */
  readonly documentationUrl: string;
  /** The cluster's name; asked at every answer because it is known only after the start. */
  readonly clusterName: () => string;
  /** Phrases guidance for the way in; absent in tests of other things. */
  readonly guide?: Guide;
}

/** `_meta` as it stands in a body. */
export interface Meta extends MetaExtras {
  readonly timestamp: string;
  readonly documentation: string;
  readonly endpoint: string;
  readonly description: string;
  readonly relatedEndpoints: Readonly<Record<string, string>>;
  readonly cluster: string;
  readonly cacheTtlSeconds?: number;
  readonly cachedAt?: string;
}

const GENERAL_LINKS = { documentation: '/docs', openapi: '/openapi.json' };

/**
 * `_meta` of an answer of `endpoint` (null: no such endpoint). Its `endpoint` is the path template, never the requested path, so that
 * nothing a caller wrote comes back. `fragment` is the anchor on the documentation page.
 */
export const buildMeta = (
  source: MetaSource,
  endpoint: Endpoint | null,
  nowMs: number,
  fragment: string,
  extras: Partial<Meta> = {},
): Meta => ({
  timestamp: new Date(nowMs).toISOString(),
  documentation: `${source.documentationUrl}#${fragment}`,
  endpoint: endpoint?.path ?? 'unknown',
  description: endpoint?.operation.summary ?? 'No endpoint of this service.',
  relatedEndpoints: endpoint?.related ?? GENERAL_LINKS,
  cluster: source.clusterName(),
  ...extras,
});
