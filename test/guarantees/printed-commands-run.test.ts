// DOCS-1: every printed command works. Runs the commands of /docs/reference and /llms-full.txt in a shell
// against the running service, with a reader's own values filled in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type OperationName, operations } from '../../client/generated/all-operations.ts';
import { createHoldfastClient } from '../../client/holdfast-client.ts';
import { HoldfastError } from '../../client/holdfast-error.ts';
import type { OperationFacts } from '../../client/operation-facts.ts';
import { operationsOf } from '../support/http-fuzz.ts';
import { schemaProblems } from '../support/json-schema-check.ts';
import { type PrintedCommands, printedCommands } from '../support/printed-commands.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { referenceText } from '../support/reference-text.ts';
import { sharedService } from '../support/service-fixture.ts';
import { unescaped } from '../support/user-without-clone.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const shared = sharedService(
  { before, after },
  { settings: { HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } },
);

describe('DOCS-1', () => {
  let document: Json;
  let page: string;
  let printed: PrintedCommands;
  let receiver: Receiver;
  const cleanUps: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  before(async () => {
    const { service } = shared();
    const get = async (path: string): Promise<string> => (await fetch(service.url + path)).text();
    document = JSON.parse(await get('/openapi.json'));
    page = await referenceText(service.url);
    receiver = await startReceiver({ after: (cleanUp) => void cleanUps.push(cleanUp) });
    printed = await printedCommands(shared(), receiver);
  });

  test('every operation has the same command on the reference page and in the text for language models', () => {
    const { commands } = printed;
    const onPage = [
      ...page.matchAll(/data-label="curl"><p[^>]*>curl<\/p><pre[^>]*><code>([\s\S]*?)<\/code>/g),
    ].map(([, text]) => unescaped(text!));
    assert.deepEqual([...commands.values()].sort(), onPage.sort());
    assert.deepEqual(
      [...commands.keys()].sort(),
      operationsOf(document)
        .map(({ operationId }) => operationId)
        .sort(),
    );
  });

  test('each printed command runs unchanged and returns 200, as the OpenAPI document says', async (t) => {
    const { commands } = printed;
    const operations = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]));
    await printed.runAll(({ operation, command, status, body, text }) => {
      assert.equal(status, 200, `${operation}: ${command}\n${text.slice(0, 500)}`);
      const schema = operations.get(operation)!.responses['200']!;
      assert.deepEqual(schemaProblems(document, schema, body ?? text), [], operation);
    });
    t.diagnostic(`${commands.size} commands`);
    assert.ok(commands.size >= 45);
  });

  /** Returns the examples in `language` by operation, with the reader's own values filled in. */
  const examplesIn = (language: string): [operation: string, code: string][] =>
    page
      .split('<section id="')
      .slice(1)
      .flatMap((section) => {
        const tab = `data-label="${language}"><p class="tab-label">${language}</p><pre`;
        const [, code] = section.split(tab)[1]?.match(/<code>([\s\S]*?)<\/code>/) ?? [];
        return code === undefined
          ? []
          : [[section.slice(0, section.indexOf('"')), printed.filled(unescaped(code))]];
      });

  test('the TypeScript examples call the client, and each read returns a result', async () => {
    const examples = examplesIn('TypeScript');
    assert.equal(examples.length, printed.commands.size);
    for (const [operation, code] of examples) {
      const facts = operations[operation as OperationName];
      assert.ok(code.includes(`await client.${operation}(`), operation);
      if (facts.method !== 'GET') continue;
      let response: unknown;
      // The example becomes a function that receives the import and the print function as arguments.
      const run = new Function(
        ...['createHoldfastClient', 'console'],
        `return (async () => {${code.replace(/^import .*$/m, '')}})()`,
      );
      try {
        await run(createHoldfastClient, { log: (value: unknown) => (response = value) });
      } catch (error) {
        // The reader last signed a policy, not a transaction.
        if (!(error instanceof HoldfastError && error.errorCode === 'NOT_FOUND')) throw error;
        response = error;
      }
      assert.ok(response, operation);
    }
  });

  test('the command line accepts the printed command lines, and the response fields that they read exist', async () => {
    const examples = examplesIn('Command line');
    assert.equal(examples.length, printed.commands.size);
    for (const [operation, line] of examples) {
      if (!line.includes(`holdfast call ${operation}`)) {
        assert.match(line, /^# Signs on your machine[^\n]+\nholdfast (stake|unstake|withdraw) /, operation);
        continue;
      }
      const { query, body, path } = operations[operation as OperationName] as OperationFacts;
      // A secret before the command may end with `=`.
      const members = [...line.slice(line.indexOf('holdfast call')).matchAll(/[ '](\w+)=/g)].map(
        ([, name]) => name!,
      );
      const known = [...query, ...body, ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)];
      assert.deepEqual(
        members.filter((name) => !known.includes(name)),
        [],
        line,
      );
    }
    const main = new URL('../../cli/main.ts', import.meta.url).pathname;
    const lines = new Map(examples);
    for (const operation of ['epoch', 'simulateStake', 'walletHistory']) {
      const command = `holdfast() { '${process.execPath}' '${main}' "$@"; }\n${lines.get(operation)} --json`;
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      assert.equal(typeof JSON.parse(stdout)._meta.endpoint, 'string', operation);
    }
  });

  test('deliveries made in the meantime match the webhooks of the OpenAPI document', () => {
    const deliveries: Json[] = receiver.received.map(({ body }) => JSON.parse(body));
    for (const delivery of deliveries) {
      const { schema } = document.webhooks[delivery.type].post.requestBody.content['application/json'];
      assert.deepEqual(schemaProblems(document, schema, delivery), [], delivery.type);
      // Every delivered combination of fields is documented.
      const named = (schema.properties.data.anyOf ?? [schema.properties.data]).some(({ properties }: Json) =>
        Object.keys(delivery.data).every((name) => Object.hasOwn(properties, name)),
      );
      assert.ok(named, JSON.stringify(delivery));
    }
    const types = new Set(deliveries.map(({ type }) => type));
    for (const type of ['ping', 'registration_deleted', 'autopilot_sweep']) assert.ok(types.has(type), type);
  });

  test('amounts follow the cluster’s limits: the examples stake the smallest allowed whole number of SOL', async () => {
    const { minimumStakeSol } = await shared().service.client.get(
      `/api/v1/wallet/balance/${printed.own.WALLET_ADDRESS}`,
    );
    const amount = /"amountSol":(\d+)/.exec(printed.commands.get('stake')!)?.[1];
    assert.equal(Number(amount), Math.ceil(minimumStakeSol));
  });

  test('paths of other plugins are aliases that return the same balance and readiness', async () => {
    const { client } = shared().service;
    const at = printed.own.WALLET_ADDRESS;
    const { _meta: _one, ...balance } = await client.get(`/api/v1/wallet/balance/${at}`);
    const { _meta: _two, ...alias } = await client.get(`/api/v1/check-balance/${at}`);
    assert.deepEqual(alias, balance);
    assert.equal(typeof alias.balanceSol, 'number');
    assert.equal(alias.balanceSol, balance.sol);
    const ready = await client.get(`/api/v1/stake/accounts/${at}/withdraw-ready`);
    const readyAlias = await client.get(`/api/v1/check-withdraw-ready/${at}`);
    assert.deepEqual(Object.keys(readyAlias), Object.keys(ready));
    assert.deepEqual(
      readyAlias.accounts.map(({ address }: Json) => address),
      ready.accounts.map(({ address }: Json) => address),
    );
  });
});
