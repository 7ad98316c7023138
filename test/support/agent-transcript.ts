// Runs an agent session through `holdfast mcp` with the official client, and records it as the transcript in
// docs/mcp.md. Replaces values that change from run to run with names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { configFolder, keypairFile, trustService } from '../cli/cli-runner.ts';
import { cleanEnvironment } from './spawned-process.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

/** Matches the transcript in docs/mcp.md, including its marker comments. */
const PLACE = /(<!-- transcript[^>]*-->\n)[\s\S]*?(<!-- end of the transcript -->)/;

/** Returns the document with a new transcript. */
export const withTranscript = (document: string, transcript: string): string =>
  document.replace(PLACE, (_, begin: string, end: string) => `${begin}\n${transcript}\n${end}`);

const MAX_FACTS = 4;
const MAX_CHARACTERS = 160;
/** Fields that only repeat the request or contain links. */
const LEFT_OUT =
  /^(walletAddress|validatorVoteAccount|voteAccount|explorerUrl|signUrl|signUrlExpiresAt|idempotencyKey): /;

/** Replaces addresses, signatures, times, slots, fractions of SOL and links. */
const steady = (names: ReadonlyMap<string, string>, text: string): string =>
  [...names]
    .reduce((left, [value, name]) => left.replaceAll(value, name), text)
    .replaceAll(/https?:\/\/\S+/g, '<link>')
    .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{80,90}\b/g, '<signature>')
    .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g, '<stake account>')
    .replaceAll(/\bhf_[0-9a-f]+\b/g, '<key>')
    .replaceAll(/currentEpoch \d+/g, 'currentEpoch <number>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+ \w+ \d{4}, \d\d:\d\d UTC/g, '<time>')
    // Rewards differ between accounts.
    .replaceAll(/\b(\d+\.\d{2})\d+\b/g, '$1…');

/** Runs an agent with a budget against the sandbox of `client`. Returns the transcript as Markdown. */
export const recordAgentLife = async (scope: Scope, client: HoldfastClient): Promise<string> => {
  const wallet = keypairFile(scope);
  const { walletAddress } = wallet;
  const names = new Map([[walletAddress, '<wallet>']]);
  await trustService(client.baseUrl);
  await client.sandboxAirdrop({ walletAddress, amountSol: 10 });
  const { identity } = await client.codeIntegrity({});
  const policy = join(temporaryFolder(scope), 'agent.policy.json');
  const rules = {
    version: 1,
    cluster: identity.genesisHash,
    wallet: walletAddress,
    validators: [identity.voteAccount],
    operations: ['stake', 'unstake', 'withdraw'],
    limits: { stake: { day: 6 } },
  };
  writeFileSync(policy, JSON.stringify(rules));

  const lines: string[] = [];
  const write = (text: string): void => {
    const short = steady(names, text);
    lines.push(short.length > MAX_CHARACTERS ? `${short.slice(0, MAX_CHARACTERS)}…` : short);
  };
  const agent = new Client({ name: 'agent', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
  } as ConstructorParameters<typeof Client>[1]);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...[join(import.meta.dirname, '..', '..', 'cli/main.ts'), 'mcp', '--url', client.baseUrl],
      ...['--keypair', wallet.path, '--policy', policy],
    ],
    env: { ...cleanEnvironment(), XDG_CONFIG_HOME: configFolder },
    stderr: 'ignore',
  });
  await agent.connect(transport);
  scope.after(() => agent.close());

  /** Calls a tool. Records the call, its progress, and the beginning of the text that a model reads. */
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<void> => {
    lines.push('', `→ ${name} ${JSON.stringify(given)}`);
    // How often a wait is reported depends on the network.
    const onprogress = ({ message }: { message?: string }): void => {
      if (message && !message.startsWith('Still in progress')) write(`  … ${message}`);
    };
    const { content, isError } = await agent.callTool({ name, arguments: given }, { onprogress });
    const [{ text }] = content as unknown as [{ text: string }];
    const [sentence, ...all] = text.split('\n');
    const facts = all.filter((fact) => !LEFT_OUT.test(fact));
    write(`← ${isError ? 'refused: ' : ''}${sentence}`);
    for (const fact of facts.slice(0, MAX_FACTS)) write(`  ${fact}`);
    if (facts.length > MAX_FACTS) lines.push('  …');
  };

  lines.push('→ tools/list, resources/templates/list');
  const [{ tools }, { resourceTemplates }] = [await agent.listTools(), await agent.listResourceTemplates()];
  const own = ['stake', 'unstake', 'withdraw', 'change_stake'];
  write(
    `← the tools of the service; signed here: ${own.filter((one) => tools.some(({ name }) => name === one)).join(', ')}`,
  );
  for (const { uriTemplate } of resourceTemplates) write(`  ${uriTemplate}`);
  await call('get_staking_summary');
  await call('stake', { amountSol: 5 });

  const uri = `holdfast://wallet/${walletAddress}`;
  const [stake] = (await client.listStakeAccounts({ walletAddress })).accounts;
  names.set(stake!.address, '<stake account 1>');
  const updated = Promise.withResolvers<void>();
  agent.setNotificationHandler('notifications/resources/updated', () => updated.resolve());
  await agent.listen({ resourceSubscriptions: [uri] });
  lines.push(
    '',
    `→ subscriptions/listen {"notifications":{"resourceSubscriptions":["${steady(names, uri)}"]}}`,
  );
  await client.sandboxEndEpochs({ count: 1 });
  await updated.promise;
  lines.push('  … the epoch ends');
  write(`← notifications/resources/updated ${uri}`);
  await call('check_stake_accounts');
  await call('unstake', { amountSol: 2 });
  await client.sandboxEndEpochs({ count: 1 });
  lines.push('  … the epoch ends');
  await call('check_withdraw_ready');
  await call('withdraw', { all: true });
  await call('stake', { amountSol: 4 });
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
};
