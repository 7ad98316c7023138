// npm run examples:record: runs every documented command against a service on a sandbox, and records responses
// and deliveries as examples for the OpenAPI document.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createHoldfastClient } from '../client/holdfast-client.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { offerFailedEvent } from '../src/events/autopilot.ts';
import { RECORDED_FILE } from '../src/http/openapi/openapi-examples.ts';
import { recordAgentLife, withTranscript } from '../test/support/agent-transcript.ts';
import { playAlerts } from '../test/support/alert-life.ts';
import { authorize, until } from '../test/support/index-fixture.ts';
import { commandsOf, printedCommands, runCommand } from '../test/support/printed-commands.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { QUICK_SANDBOX } from '../test/support/sandbox-fixture.ts';
import { SandboxStaker } from '../test/support/sandbox-staker.ts';
import { settingsFor, startService } from '../test/support/service-fixture.ts';

/**
 * Maximum numbers of list items and of characters. Longer lists and texts are truncated, because an example
 * only shows the format.
 */
const [ITEMS, LETTERS] = [2, 600];
/** Replacements for keys and secrets of the recording. They have the same format but give access to nothing. */
const MASKED: Readonly<Record<string, string>> = {
  secretKey: '1'.repeat(64),
  secret: `whsec_${'A'.repeat(43)}=`,
};

const shortened = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string')
    return (
      MASKED[name] ??
      (value.length > LETTERS && !/^[A-Za-z0-9+/=]+$/.test(value) ? `${value.slice(0, LETTERS)}…` : value)
    );
  // Lists of sentences stay complete, because the text next to them contains all of them. Other lists show
  // items in different states first.
  if (Array.isArray(value)) {
    const states = value.map((item) => item?.state);
    const isRepeated = (at: number): number => Number(states.indexOf(states[at]) < at);
    const chosen = [...value.keys()].sort((a, b) => isRepeated(a) - isRepeated(b)).slice(0, ITEMS);
    return value
      .filter((_item, at) => name.endsWith('Sentences') || chosen.includes(at))
      .map((item) => shortened(item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, shortened(inner, member)]),
  );
};

const SOL = 1_000_000_000n;
/** States of the wallet's stakes in the recorded reads. */
const STATES = ['active', 'activating', 'deactivating', 'inactive'];
/** Reads that are empty for a new wallet, each with the list that must have entries. */
const READS = {
  listStakeAccounts: 'accounts',
  stakingSummary: 'accounts',
  withdrawReadiness: 'accounts',
  checkWithdrawReady: 'accounts',
  stakingRewards: 'rewards',
  walletHistory: 'history',
  listNonceAccounts: 'accounts',
  analytics: 'recentTransactions',
};

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
try {
  // By its slots, an epoch of this sandbox lasts 2.4 hours, so it pays a twentieth of a two-day epoch.
  const sandbox = await startSandbox({ ...QUICK_SANDBOX, rewardPpb: 17_700, tipPpb: 25 });
  scope.after(() => sandbox.close());
  const service = await startService(scope, {
    ...settingsFor(sandbox),
    HOLDFAST_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  const receiver = await startReceiver(scope);
  const { own, runAll, commands, filled } = await printedCommands({ sandbox, service }, receiver);
  const responses: Record<string, unknown> = {};
  await runAll(({ operation, status, body, text }) => {
    if (status !== 200) throw new Error(`${operation} returned status ${status}: ${text}`);
    responses[operation] = body ?? text;
  }, true);
  /** Records `operation` again, once its `list` has entries and is complete. */
  const recordFilled = (operation: string, list: string): Promise<void> =>
    until(async () => {
      const { body } = await runCommand(filled(commands.get(operation)!));
      responses[operation] = body;
      return body[list].length > 0 && body.complete !== false;
    }, operation);
  const staker = await SandboxStaker.of(sandbox, { secretKey: own.SECRET_KEY! });
  const [active, inactive, deactivating] = [
    await staker.stake(3n * SOL),
    await staker.stake(2n * SOL),
    await staker.stake(4n * SOL),
  ];
  await sandbox.advanceEpochs(1);
  await staker.deactivate(inactive);
  await sandbox.advanceEpochs(1);
  await staker.deactivate(deactivating);
  await staker.stake(2n * SOL);
  await until(async () => {
    const { body } = await runCommand(filled(commands.get('listStakeAccounts')!));
    return STATES.every((state) =>
      body.accounts.some((account: { state: string }) => account.state === state),
    );
  }, 'stakes in all states');
  for (const [operation, list] of Object.entries(READS)) await recordFilled(operation, list);
  // Services that accept no keys do not have these calls, and serve the same example.
  const { endpointCounts } = responses.analytics as { endpointCounts: Record<string, number> };
  for (const name of ['stake', 'unstake', 'withdraw']) delete endpointCounts[`POST /api/v1/${name}`];
  await staker.send([authorize(staker, active, sandbox.otherVoteAccount, 'Staker')]);
  await recordFilled('walletAlerts', 'rescuable');
  // These operations exist only in a service that runs its own cluster.
  const withSandbox = await startService(scope, {});
  for (const [operation, command] of await commandsOf(withSandbox.url))
    if (responses[operation] === undefined)
      responses[operation] = (
        await runCommand(command.replaceAll('<WALLET_ADDRESS>', own.WALLET_ADDRESS!))
      ).body;
  // Triggers the other deliveries, which no documented command causes.
  await playAlerts(sandbox, service, receiver);
  await recordFilled('validatorAlerts', 'alerts');
  await recordFilled('validatorHistory', 'epochs');
  const deliveries: Record<string, { data: Record<string, unknown> }> = {};
  for (const { body } of receiver.received) {
    const delivery = JSON.parse(body);
    // Uses the first delivery of a type as its example. For epoch ends, a delivery with a portfolio is
    // preferred, because that is the usual case.
    const first = deliveries[delivery.type];
    if (first === undefined || first.data.late === true) deliveries[delivery.type] = delivery;
  }
  const sweep = deliveries.autopilot_sweep as unknown as {
    id: string;
    data: { walletAddress: never; epoch: number };
  };
  const failed = offerFailedEvent(
    'recorded',
    {
      registrationId: 'recorded',
      walletAddress: sweep.data.walletAddress,
      epoch: BigInt(sweep.data.epoch),
      eventId: sweep.id,
    },
    'NOT_DELIVERED',
    Date.now(),
  );
  deliveries.autopilot_failed = {
    id: failed.id,
    type: failed.type,
    timestamp: new Date(failed.atMs).toISOString(),
    data: JSON.parse(failed.data),
  } as never;
  const recorded = {
    values: { ...own, SECRET_KEY: MASKED.secretKey, SECRET: MASKED.secret, NONCE: Number(own.NONCE) },
    responses: shortened(responses),
    deliveries: shortened(deliveries),
  };
  writeFileSync(
    RECORDED_FILE,
    `${JSON.stringify(recorded, null, 2)
      .replaceAll(service.url, '<PUBLIC_URL>')
      .replaceAll(withSandbox.url, '<PUBLIC_URL>')
      .replaceAll(receiver.url, 'https://example.com')}\n`,
  );
  const guide = new URL('../docs/mcp.md', import.meta.url);
  const client = createHoldfastClient({ baseUrl: withSandbox.url });
  writeFileSync(guide, withTranscript(readFileSync(guide, 'utf8'), await recordAgentLife(scope, client)));
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(RECORDED_FILE)]);
  console.log(`${Object.keys(responses).length} responses, ${Object.keys(deliveries).length} deliveries`);
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
}
