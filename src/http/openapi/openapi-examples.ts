// Adds an example to every request, response and delivery in the OpenAPI document. Request examples match the
// commands shown in the API reference. Responses and deliveries were recorded from a running service.

import { readFileSync } from 'node:fs';
import type { oas31 } from 'zod-openapi';
import { createGuidancePrinter } from '../../adapter/print-guidance.ts';
import type { NotificationType } from '../../domain/notification-types.ts';
import { generate, walletCode } from '../../operations/wallet/generate-wallet.ts';
import type { Route } from '../pipeline/route.ts';
import {
  type ExampleFacts,
  operationOf,
  parameterExample,
  requestBody,
  requestExample,
  routeParameterName,
} from './openapi-operation.ts';
import { createSchemaReader } from './openapi-schema-reader.ts';

/** The output of `npm run examples:record`. */
interface RecordedExamples {
  /** Values of placeholders such as `WALLET_ADDRESS`, which the reader replaces. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Bodies of 200 responses, by operation. The service's URL is the placeholder `<PUBLIC_URL>`. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** Bodies of deliveries, by type, with the same placeholder. */
  readonly deliveries: Readonly<Partial<Record<NotificationType, unknown>>>;
}

/** File with the recorded examples. */
export const RECORDED_FILE = new URL('./recorded-examples.json', import.meta.url);

/**
 * Replaces each `<NAME>` in `value`. A string that is exactly `<NAME>` becomes the value itself, whatever its
 * type.
 */
const filled = (value: unknown, values: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)]));
  if (typeof value !== 'string') return value;
  const whole = /^<([A-Z_]+)>$/.exec(value)?.[1];
  if (whole !== undefined) return values[whole] ?? value;
  return value.replaceAll(/<([A-Z_]+)>/g, (text, name: string) => String(values[name] ?? text));
};

const setExample = (holder: { content?: oas31.ContentObject } | undefined, value: unknown): void => {
  for (const type of ['application/json', 'text/plain'])
    if (value !== undefined && holder?.content?.[type]) holder.content[type].example = value;
};

/**
 * Adds the examples to `document`, which must be built from `routes`. Bodies that were never recorded get no
 * example.
 */
export const addExamples = (
  document: oas31.OpenAPIObject,
  routes: readonly Route[],
  publicUrl: string,
  facts: ExampleFacts,
): void => {
  const { values, responses, deliveries } = JSON.parse(
    readFileSync(RECORDED_FILE, 'utf8'),
  ) as RecordedExamples;
  const takesKeys = routes.some(({ carriesSecretKey }) => carriesSecretKey === true);
  /** The only recorded response that depends on the operator's settings: it lists the calls that take a key. */
  const withoutKeys = takesKeys
    ? {}
    : createGuidancePrinter({ routes, tools: [], publicUrl: () => publicUrl })(
        walletCode({ service: { settings: { oneShot: 'off' }, publicUrl: () => publicUrl } }, 'rest'),
        'rest',
        {},
      );
  const reader = createSchemaReader(document);
  const here = { PUBLIC_URL: publicUrl };
  for (const route of routes) {
    const operation = operationOf(document, route);
    for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[])
      if (parameter.in === 'path')
        parameter.example = filled(
          parameterExample(routeParameterName(route, parameter.name), parameter.schema, reader),
          values,
        );
    const body = requestBody(operation);
    if (body !== undefined)
      setExample(
        operation.requestBody as oas31.RequestBodyObject,
        filled(requestExample(route, body, reader, facts), values),
      );
    setExample(
      operation.responses?.['200'] as oas31.ResponseObject | undefined,
      filled(
        route.operation === generate
          ? { ...(responses[generate.name] as object), ...withoutKeys }
          : responses[route.operation.name],
        here,
      ),
    );
  }
  for (const [type, item] of Object.entries(document.webhooks ?? {}))
    setExample(
      (item as oas31.PathItemObject).post?.requestBody as oas31.RequestBodyObject | undefined,
      filled(deliveries[type as NotificationType], here),
    );
};
