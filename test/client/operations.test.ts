// Checks that every operation has a client method that calls its route, that the committed files match the
// routes, and that method names are unique.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import { operations } from '../../client/generated/all-operations.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import type { OperationFacts } from '../../client/operation-facts.ts';
import { checkGeneratedClient } from '../../scripts/client/generated-client.ts';
import { writeGeneratedFiles } from '../../scripts/client/write-operations.ts';
import { planInput } from '../../src/http/pipeline/operation-input.ts';
import type { Route } from '../../src/http/pipeline/route.ts';
import { allRoutes } from '../../src/http/routes/all-routes.ts';
import { holdfast } from '../cli/cli-runner.ts';

const root = join(import.meta.dirname, '..', '..');
const client = createHoldfastClient({ baseUrl: 'http://127.0.0.1:1' });

test('every operation has a client method of the same name', () => {
  assert.deepEqual(
    Object.keys(operations).toSorted(),
    allRoutes.map(({ operation }) => operation.name).toSorted(),
  );
  for (const { operation } of allRoutes)
    assert.equal(typeof client[operation.name as keyof typeof client], 'function', operation.name);
});

test('the command line can call every operation, except those that take a secret key', async () => {
  const listed = (await holdfast(['call', '--json'])).json() as unknown as string[];
  const expected = allRoutes.filter((route) => route.carriesSecretKey !== true);
  assert.deepEqual(listed, expected.map(({ operation }) => operation.name).toSorted());
  for (const route of allRoutes.filter((each) => each.carriesSecretKey === true))
    assert.ok(
      commands.some(({ name }) => name === route.operation.name),
      `${route.operation.name} is a command that signs locally`,
    );
});

test('every route table of the service is included in the list of all routes', async () => {
  const known = new Set(allRoutes);
  const files = readdirSync(join(root, 'src/http/routes')).filter((name) => name.endsWith('-routes.ts'));
  assert.ok(files.length > 1);
  for (const file of files) {
    // The operator console has a separate listener.
    if (file === 'all-routes.ts' || file === 'operator-routes.ts') continue;
    const tables = Object.values((await import(`../../src/http/routes/${file}`)) as Record<string, unknown>);
    const routes = tables
      .filter((table): table is readonly Route[] => Array.isArray(table))
      .flat()
      .filter((each) => 'operation' in each);
    for (const route of routes)
      assert.ok(known.has(route), `${file}: ${route.operation.name} in all-routes.ts`);
  }
});

test('each operation is called at its route with every field of its input, and is retried only if its effect allows it', () => {
  for (const route of allRoutes) {
    const facts: OperationFacts = operations[route.operation.name as keyof typeof operations];
    const plan = planInput(route);
    assert.equal(facts.method, route.method);
    assert.equal(facts.path, route.path);
    assert.equal(facts.effect, route.operation.effect);
    const sent = new Set([...plan.path, ...facts.query, ...facts.body]);
    const elsewhere = [route.bearer, 'idempotencyKey', route.alternative?.name];
    for (const member of Object.keys(plan.operation.input.shape))
      assert.ok(sent.has(member) || elsewhere.includes(member), `${route.operation.name}.${member}`);
    assert.equal(facts.idempotency !== undefined, plan.takesIdempotencyKey);
    assert.equal(facts.carriesSecretKey === true, route.carriesSecretKey === true);
    assert.equal(facts.bearer === true, route.bearer !== undefined);
  }
});

test('no operation shares its name with another client method', () => {
  for (const name of ['send', 'baseUrl', 'then']) assert.ok(!Object.hasOwn(operations, name));
  const methods = Object.keys(client);
  assert.equal(new Set(methods).size, methods.length);
});

test('the package exports the types of every operation', () => {
  const entry = readFileSync(join(root, 'client/package-entry.ts'), 'utf8');
  // The error codes are not types, and the tool definitions belong to the command line.
  for (const name of readdirSync(join(root, 'client/generated')))
    if (name !== 'error-codes.ts' && name !== 'mcp-tools.ts')
      assert.ok(entry.includes(`'./generated/${name}'`), name);
});

test('the committed files match those generated from the routes', () => {
  assert.deepEqual(checkGeneratedClient(root).problems, []);
});

test('changing an operation changes the generated files, which makes the check above fail', () => {
  const renamed = allRoutes.map((route) =>
    route.operation.name === 'balance' ? { ...route, path: '/api/v1/elsewhere/{walletAddress}' } : route,
  );
  const committed = (name: string) => readFileSync(join(root, 'client/generated', name), 'utf8');
  const files = writeGeneratedFiles(renamed);
  assert.ok(files.get('wallet-operations.ts')!.includes('/api/v1/elsewhere/{walletAddress}'));
  assert.ok(!committed('wallet-operations.ts').includes('/api/v1/elsewhere/'));
});
