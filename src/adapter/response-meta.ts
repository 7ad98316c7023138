// Builds the `_meta` object that every JSON response carries.

import { type Step, step } from '../kernel/guidance.ts';
import type { MetaExtras } from '../operations/operation.ts';
import type { Endpoint } from './describe-endpoint.ts';
import type { PrintGuidance } from './print-guidance.ts';

/** Values that every `_meta` contains. */
export interface MetaFacts {
  /** URL of the documentation page, without a fragment. */
  readonly documentationUrl: string;
  /** Returns the name of the cluster, which is not known until startup. */
  readonly clusterName: () => string;
}

/** Everything needed to build a response's `_meta`, including its guidance. */
export interface MetaSource extends MetaFacts {
  readonly printGuidance: PrintGuidance;
}

/** `_meta` of a response before its guidance is printed. */
export interface Meta extends MetaExtras {
  readonly timestamp: string;
  readonly documentation: string;
  readonly endpoint: string;
  readonly description: string;
  readonly relatedEndpoints: Readonly<Record<string, string | Step>>;
  readonly cluster: string;
  readonly cacheTtlSeconds?: number;
  readonly cachedAt?: string;
}

const GENERAL_LINKS = { documentation: '/docs', openapi: '/openapi.json' };

const relatedSteps = (endpoint: Endpoint | null): Meta['relatedEndpoints'] | undefined =>
  endpoint?.related &&
  Object.fromEntries(Object.entries(endpoint.related).map(([name, operation]) => [name, step(operation)]));

/**
 * Builds the `_meta` of a response. `endpoint` is null if the requested endpoint does not exist. The field
 * `endpoint` contains the path template and never the requested path, so that no caller input is echoed.
 * `fragment` is an anchor on the documentation page.
 */
export const buildMeta = (
  source: MetaFacts,
  endpoint: Endpoint | null,
  nowMs: number,
  fragment: string,
  extras: Partial<Meta> = {},
): Meta => ({
  timestamp: new Date(nowMs).toISOString(),
  documentation: `${source.documentationUrl}#${fragment}`,
  endpoint: endpoint?.path ?? 'unknown',
  description: endpoint?.operation.summary ?? 'No endpoint of this service.',
  relatedEndpoints: relatedSteps(endpoint) ?? GENERAL_LINKS,
  cluster: source.clusterName(),
  ...extras,
});
