// INV-1: every route is in the OpenAPI document, every documented operation is served, and a linter finds no
// problem in the document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { pino } from 'pino';
import { createOpenApiDocument } from '../../src/http/openapi/openapi.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import type { Logger } from '../../src/kernel/log/logger.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { startTestServer } from '../support/http-operations.ts';
import { schemaProblems } from '../support/json-schema-check.ts';
import { referenceText } from '../support/reference-text.ts';

const ROUTES = allRoutes;

const start = () => startTestServer({ routes: ROUTES, logger: pino({ level: 'silent' }) as Logger });
const documentOf = (routes: readonly Route[]) =>
  JSON.parse(JSON.stringify(createOpenApiDocument(routes, 'http://127.0.0.1:3000')));
const lineOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const documentedLineOf = ({ method, path, documentedPath = path }: Route): string =>
  `${method} ${documentedPath}`;

test("INV-1 the document lists exactly the routes, each with its operation's name", () => {
  const documented = operationsOf(documentOf(ROUTES));
  assert.deepEqual(documented.map(lineOf).toSorted(), ROUTES.map(documentedLineOf).toSorted());
  const names = documented.map(({ operationId }) => operationId);
  assert.equal(new Set(names).size, names.length);
  for (const route of ROUTES)
    assert.ok(
      documented.some(
        (found) => found.operationId === route.operation.name && lineOf(found) === documentedLineOf(route),
      ),
    );
});

test('INV-1 every documented operation is served, and every path parameter is an input field of its operation', async (t) => {
  const server = await start();
  t.after(() => server.close());
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Parameters<
    typeof operationsOf
  >[0];
  for (const { operationId, method, path } of operationsOf(document)) {
    const response = await fetch(server.url + path.replaceAll(/\{\w+\}/g, 'x'), { method });
    const { _meta } = (await response.json()) as { _meta: { endpoint: string } };
    const route = ROUTES.find(({ operation }) => operation.name === operationId);
    assert.equal(
      _meta.endpoint,
      route?.path,
      `${method} ${path} is answered with ${response.status} by another route`,
    );
    assert.notEqual(response.status, 405);
  }
});

test('INV-1 every field of every input is documented with a type', () => {
  for (const { operationId, parameters, body } of operationsOf(documentOf(ROUTES))) {
    const members = {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      ...(body?.properties as object),
    };
    for (const [name, schema] of Object.entries(members as Record<string, Record<string, unknown>>))
      assert.ok(
        'type' in schema || '$ref' in schema || 'anyOf' in schema || 'enum' in schema,
        `${operationId}.${name}`,
      );
  }
});

test('INV-1 the document passes the linter’s strict rules', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(documentOf(ROUTES)), config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

test('INV-1 the reference page has a section for every operation and an anchor for every error code', async (t) => {
  const server = await start();
  t.after(() => server.close());
  const page = await referenceText(server.url);
  for (const { operation } of ROUTES)
    assert.ok(page.includes(`<section id="${operation.name}" `), operation.name);
  for (const code of documentOf(ROUTES).components.schemas.ErrorBody.properties.errorCode.enum)
    assert.ok(page.includes(`id="error-${code}"`), code);
  const landing = await (await fetch(server.url)).text();
  for (const line of ['/sandbox/airdrop', '/api/v1/stake/transaction', '/docs'])
    assert.ok(landing.includes(line), line);
});

test('INV-1 the document contains the body fields of a DELETE, and states where at least one of several fields is required', () => {
  const { paths } = documentOf(ROUTES);
  const bodyOf = (operation: { requestBody: { content: Record<string, { schema: object }> } }) =>
    operation.requestBody.content['application/json']?.schema as {
      properties: object;
      description?: string;
    };
  assert.deepEqual(Object.keys(bodyOf(paths['/api/v1/webhooks/{id}'].delete).properties), ['walletAddress']);
  assert.match(bodyOf(paths['/api/v1/webhooks'].post).description ?? '', /at least one of: callbackUrl, url/);
  for (const { operation, documentedPath, path, method } of ROUTES)
    if (operation.eitherOf !== undefined)
      assert.equal(paths[documentedPath ?? path][method.toLowerCase()].requestBody.required, true, path);
});

test('INV-1 every request, response and delivery has an example that matches its schema', () => {
  const document = documentOf(ROUTES);
  const problems: string[] = [];
  const check = (where: string, { schema, example }: { schema: object; example?: unknown }): void => {
    if (example === undefined) problems.push(`${where} has no example`);
    else problems.push(...schemaProblems(document, schema as never, example, where));
    if (/"<[A-Z_]+>"|<PUBLIC_URL>/.test(JSON.stringify(example ?? '')))
      problems.push(`${where} has a placeholder`);
  };
  for (const item of Object.values(document.paths as Record<string, object>))
    for (const operation of Object.values(item)) {
      const { operationId, parameters = [], requestBody, responses } = operation;
      for (const parameter of parameters)
        if (parameter.in === 'path') check(`${operationId}.${parameter.name}`, parameter);
      if (requestBody) check(`request of ${operationId}`, requestBody.content['application/json']);
      const { content } = responses['200'];
      check(`response of ${operationId}`, content['application/json'] ?? content['text/plain']);
    }
  for (const [type, { post }] of Object.entries<{
    post: { requestBody: { content: Record<string, never> } };
  }>(document.webhooks))
    check(`delivery of ${type}`, post.requestBody.content['application/json']!);
  assert.deepEqual(problems, [], 'run npm run examples:record to update the examples');
  assert.deepEqual(Object.keys(document.webhooks).length, 14);
});

test('INV-1 the examples of the reads of a staking tab have entries in their lists', () => {
  const examples = new Map(
    Object.values<object>(documentOf(ROUTES).paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId, responses }) => [
        operationId,
        responses['200'].content['application/json']?.example,
      ]),
  );
  for (const [operation, list] of [
    ['listStakeAccounts', 'accounts'],
    ['stakingSummary', 'accounts'],
    ['withdrawReadiness', 'accounts'],
    ['checkWithdrawReady', 'accounts'],
    ['stakingRewards', 'rewards'],
    ['walletHistory', 'history'],
    ['walletAlerts', 'alerts'],
    ['listNonceAccounts', 'accounts'],
    ['validatorHistory', 'epochs'],
    ['validatorAlerts', 'alerts'],
    ['analytics', 'recentTransactions'],
  ] as const)
    assert.ok(examples.get(operation)[list].length > 0, `${operation}: run npm run examples:record`);
  const states = examples.get('listStakeAccounts').accounts.map(({ state }: { state: string }) => state);
  assert.equal(new Set(states).size, states.length, 'stakes in different states');
});

test('INV-1 listing webhooks by wallet has the same documented path as reading one by id, and the parameter says so', () => {
  const { parameters } = documentOf(ROUTES).paths['/api/v1/webhooks/{id}'].get;
  const [parameter] = parameters;
  assert.equal(parameter.name, 'id');
  assert.match(parameter.description, /^walletAddress: /);
});
