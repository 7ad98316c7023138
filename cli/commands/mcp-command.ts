// The command that serves desktop agents over standard input and output, and signs on this machine with the
// user's keypair file.
import { solToLamports } from '../../client/sol-amount.ts';
import { createSignatureLedger } from '../act/signature-ledger.ts';
import { readAmount } from '../amount-argument.ts';
import type { Command, CommandCall } from '../command.ts';
import { RPC_OPTION } from '../direct/open-direct.ts';
import { keypairAddress, signWithKeypair } from '../local/keypair-file.ts';
import { bindService, rememberedService, requireKnownService } from '../local/known-services.ts';
import { clusterOf, openPolicy, POLICY_OPTION } from '../policy/open-policy.ts';
import { UsageError } from '../usage-error.ts';

const signerOf = async (call: CommandCall, file: string) => {
  const walletAddress = keypairAddress(file);
  const { values, terminal, client } = call;
  const budget = values['max-stake'];
  requireKnownService(call);
  return {
    walletAddress,
    sign: (message: Uint8Array) => signWithKeypair(file, walletAddress, message),
    bind: async (signal: AbortSignal) => (await bindService({ ...call, signal }, false)).binding,
    node: async (signal: AbortSignal) =>
      (await import('../node/user-node.ts')).openUserNode(
        { ...call, signal },
        rememberedService(terminal, client.baseUrl)?.genesisHash ?? null,
      ),
    ledger: createSignatureLedger(terminal.environment, client.baseUrl),
    policy: await openPolicy(call),
    cluster: (signal: AbortSignal) => clusterOf({ ...call, signal }),
    budgetLamports: typeof budget === 'string' ? solToLamports(readAmount(budget, '--max-stake')) : undefined,
  };
};

/**
 * Warns at startup if the policy is for another wallet, cluster or validator, because every signature will then
 * be refused.
 */
const warnOfOtherPolicy = async (
  { terminal, signal }: CommandCall,
  { policy, walletAddress, cluster, bind }: Awaited<ReturnType<typeof signerOf>>,
): Promise<void> => {
  if (policy === undefined) return;
  try {
    const subject = {
      walletAddress,
      cluster: await cluster(signal),
      voteAccount: (await bind(signal)).voteAccount,
    };
    const refusal = policy.refusalOf(subject);
    if (refusal !== null) terminal.err(`holdfast mcp: ${refusal.message} Nothing will be signed.\n`);
  } catch {
    // The service is not responding yet or is not the expected one. Each request will report that.
  }
};

/** `holdfast mcp` */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Run an MCP server for desktop agents that signs on this machine',
  usage: '',
  takes: [0, 0],
  details: [
    "Speaks MCP over standard input and output and forwards the service's tools. With --keypair it adds the tools stake, unstake, withdraw and change_stake, which check and sign on this machine. The key never leaves this machine.",
    '--keypair requires a trusted service: run holdfast trust once, or specify its validator with --vote.',
    'An agent that can call these tools can spend your SOL, so use a separate wallet and limit it with --policy or --max-stake.',
  ],
  options: {
    ...RPC_OPTION,
    vote: {
      value: 'ADDRESS',
      description: 'the only validator to stake with (default: HOLDFAST_VOTE_ACCOUNT)',
    },
    'max-stake': {
      value: 'SOL',
      description:
        'maximum the wallet may stake in any 24 hours, counted on this machine (default: no limit)',
    },
    ...POLICY_OPTION,
  },
  examples: ['mcp --url https://stake.example.org --keypair agent.json --max-stake 5', 'mcp'],
  async run(call) {
    // Desktop agents start this command without supervision, so only an explicitly specified key is used,
    // never the one at Solana's default path.
    const named =
      typeof call.values.keypair === 'string' || Boolean(call.terminal.environment.HOLDFAST_KEYPAIR);
    if (!named && call.values.policy !== undefined)
      throw new UsageError('--policy limits what is signed here, so it needs --keypair FILE');
    const signer = named ? await signerOf(call, call.keypairFile()) : null;
    const { client, terminal, signal } = call;
    const [{ serveStdioUntilEnd }, { createRemoteMcp }, { createLocalToolRunner }, { createSigningBudget }] =
      await Promise.all([
        import('../mcp/stdio-server.ts'),
        import('../mcp/remote-mcp.ts'),
        import('../mcp/run-local-tool.ts'),
        import('../mcp/signing-budget.ts'),
      ]);
    terminal.err(
      `holdfast mcp: ${client.baseUrl}, ${signer ? `signing for ${signer.walletAddress}` : 'without a key'}\n`,
    );
    // Not awaited, because an agent must not wait for a service that does not respond.
    if (signer !== null) void warnOfOtherPolicy(call, signer);
    await serveStdioUntilEnd(
      {
        remote: createRemoteMcp(client.baseUrl, terminal.clock),
        local: signer && {
          walletAddress: signer.walletAddress,
          run: createLocalToolRunner(client, signer),
          budget: createSigningBudget(signer),
        },
        clock: terminal.clock,
        report: (message) => terminal.err(`holdfast mcp: ${message}\n`),
      },
      signal,
    );
    return 'ok';
  },
};
