// `npm run demo [-- [--via rest|mcp|cli] URL]`: runs a staking lifecycle against a running sandbox service,
// over REST, MCP or the command line. Exits non-zero on any unexpected result.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../scripts/command-options.ts';
import { createHttpClient } from './http-client.ts';
import { playLife } from './life.ts';
import { playAlerts } from './life-alerts.ts';
import { playAutopilot } from './life-autopilot.ts';
import { playBusyNetwork } from './life-busy-network.ts';
import { playStakeChanges } from './life-changes.ts';
import { playLifeOverCli } from './life-cli.ts';
import { playLifeOverMcp } from './life-mcp.ts';
import { playWebhooks } from './life-webhooks.ts';
import { createMcpClient } from './mcp-client.ts';
import { commandRunner, retryingRunner } from './run-command.ts';
import { announcedWait, patientSend } from './send-with-rate-limit.ts';
import { createStory } from './story.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const USAGE = `Usage: npm run demo [-- [--via rest|mcp|cli] [URL]]

Plays the life of a stake against a running sandbox service: over REST (the default), through MCP tools, or on the command line.
URL is the address of the service; default: http://127.0.0.1:3000.`;

const { values, positionals } = readOptions(USAGE, {
  options: { via: { type: 'string', default: 'rest' } },
  allowPositionals: true,
});
const baseUrl = positionals[0] ?? 'http://127.0.0.1:3000';
const story = createStory(process.stdout);
const wait = announcedWait(story.tell);
const send = patientSend(wait);
const service = createHttpClient(baseUrl, send);

const isSandbox = async (): Promise<boolean> => {
  const { _meta } = await service.get('/health').catch(() => {
    console.error(
      `No Holdfast service is running at ${baseUrl}. Start one with "npm start", or pass another address: npm run demo -- http://127.0.0.1:3001`,
    );
    process.exit(1);
  });
  return _meta?.cluster === 'sandbox';
};

if (!(await isSandbox())) {
  console.error(
    `${baseUrl} serves a real cluster. The demo spends SOL and ends epochs, so it runs only on a sandbox.`,
  );
  process.exit(1);
}
const playOverRest = async (): Promise<void> => {
  await playLife(service, story);
  await playStakeChanges(service, story);
  await playBusyNetwork(service, story);
  const receiver = await startWebhookReceiver();
  try {
    await playWebhooks(service, story, receiver);
    await playAutopilot(service, story, receiver);
    await playAlerts(service, story, receiver);
  } finally {
    await receiver.close();
  }
};
const playOverCli = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  try {
    await playLifeOverCli(
      retryingRunner(commandRunner(baseUrl, folder), wait),
      join(folder, 'wallet.json'),
      story,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const ways: Readonly<Record<string, () => Promise<void>>> = {
  rest: playOverRest,
  mcp: () => playLifeOverMcp(createMcpClient(baseUrl, send), service, story),
  cli: playOverCli,
};
const play = ways[values.via];
if (play === undefined) {
  console.error(`--via takes ${Object.keys(ways).join(' or ')}.`);
  process.exit(1);
}
try {
  await play();
  story.tell(`\nAll ${story.stepCount()} steps succeeded.`);
} catch (error) {
  console.error(`\nUnexpected result: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
