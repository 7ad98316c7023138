// MCP-1: the official Python client works over both transports and with both protocol versions: it lists,
// calls, reads, completes, and is notified of a change.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { configFolder, keypairFile, trustService } from '../cli/cli-runner.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');

const PROGRAM = `
import asyncio, json, sys
from mcp import Client, StdioServerParameters
from mcp.types import PromptReference

transport, mode, target, wallet, other, env = json.loads(sys.argv[1])
server = target if transport == "http" else StdioServerParameters(command=target[0], args=target[1:], env=env)


async def main():
    progress = []

    async def on_progress(done, total, message):
        progress.append(message)

    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        arguments = {"walletAddress": wallet}
        accounts = await client.call_tool("check_stake_accounts", arguments)
        refused = await client.call_tool("check_balance", {"walletAddress": "no"})
        uri = f"holdfast://wallet/{wallet}"
        read = json.loads((await client.read_resource(uri)).contents[0].text)
        reference = PromptReference(type="ref/prompt", name="explain-stake-account")

        async def complete(of):
            argument = {"name": "stakeAccountAddress", "value": ""}
            return (await client.complete(reference, argument, {"walletAddress": of})).completion.values

        result = {
            "version": client.protocol_version,
            "tools": len(tools),
            "text": accounts.content[0].text.split("\\n")[0],
            "listed": [one["address"] for one in accounts.structured_content["accounts"]],
            "read": [one["address"] for one in read["accounts"]],
            "completed": [await complete(wallet), await complete(other)],
            "refused": [refused.is_error, refused.structured_content["errorCode"]],
        }
        if transport == "stdio":
            staked = await client.call_tool("stake", {"amountSol": 2}, progress_callback=on_progress)
            result["staked"] = [staked.is_error, len(progress) > 0]
        if mode == "auto":
            async with client.listen(resource_subscriptions=["holdfast://epoch/current"]) as events:
                print("listening", flush=True)
                async for event in events:
                    result["heard"] = event.uri
                    break
        print(json.dumps(result), flush=True)


asyncio.run(main())
`;

test('MCP-1: the official Python client, over Streamable HTTP and stdio, with both protocol versions', async (t) => {
  const folder = temporaryFolder(t);
  const run = promisify(execFile);
  const env = cleanEnvironment();
  const install = 'python3 -m venv venv && venv/bin/pip install --quiet mcp==2.3.0';
  const unavailable = await run('sh', ['-ec', install], { cwd: folder, env }).then(
    () => null,
    (error: { stderr?: string }) =>
      `mcp could not be installed from PyPI: ${error.stderr?.trim().slice(-300)}`,
  );
  if (unavailable !== null) return t.skip(unavailable);
  writeFileSync(join(folder, 'client.py'), PROGRAM);
  const { client, service } = shared();
  const [wallet, other] = [keypairFile(t), keypairFile(t)];
  await trustService(service.url);
  await client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 20 });
  const stdio = [
    process.execPath,
    join(root, 'cli/main.ts'),
    'mcp',
    '--url',
    service.url,
    '--keypair',
    wallet.path,
  ];
  const serverEnvironment = { ...env, XDG_CONFIG_HOME: configFolder };
  for (const [transport, mode] of [
    ['stdio', 'auto'],
    ['stdio', 'legacy'],
    ['http', 'auto'],
    ['http', 'legacy'],
  ] as const) {
    const target = transport === 'http' ? `${service.url}/mcp` : stdio;
    const { walletAddress } = wallet;
    const held = (await client.listStakeAccounts({ walletAddress })).accounts.map(({ address }) => address);
    const given = [transport, mode, target, walletAddress, other.walletAddress, serverEnvironment];
    const running = run(join(folder, 'venv/bin/python'), ['client.py', JSON.stringify(given)], {
      cwd: folder,
      env,
    });
    running.child.stdout?.on('data', (text: string) => {
      if (text.includes('listening')) void client.sandboxEndEpochs({ count: 1 });
    });
    const { stdout } = await running;
    const result = JSON.parse(stdout.trim().split('\n').at(-1)!);
    const sorted = [...held].toSorted();
    assert.deepEqual(
      { ...result, listed: result.listed.toSorted(), read: result.read.toSorted(), tools: 0, text: 0 },
      {
        version: mode === 'auto' ? '2026-07-28' : '2025-11-25',
        tools: 0,
        text: 0,
        listed: sorted,
        read: sorted,
        completed: [result.completed[0], []],
        refused: [true, 'VALIDATION_ERROR'],
        ...(transport === 'stdio' && { staked: [false, true] }),
        ...(mode === 'auto' && { heard: 'holdfast://epoch/current' }),
      },
      `${transport} ${mode}`,
    );
    assert.deepEqual(result.completed[0].toSorted(), sorted);
    assert.ok(result.tools >= 28);
    assert.match(result.text, /SOL in \d+ stake account|no stake accounts/);
  }
});
