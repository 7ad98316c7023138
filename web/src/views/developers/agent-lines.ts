// What an agent or a wallet is told to reach this service: MCP over HTTP, SSE and standard input, and Solana Actions.
import { type Filling, NO_WALLET } from './snippets.ts';

/** Lines with their name. */
export interface NamedLines {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly code: string;
  /** A command for a shell, rather than a setting. */
  readonly isShell: boolean;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** MCP. */
export const mcpLines = ({ origin }: Filling): readonly NamedLines[] => [
  {
    key: 'mcp-claude-code',
    title: 'Claude Code',
    note: 'Streamable HTTP, no login. The tools take no key unless the operator allows it.',
    code: `claude mcp add --transport http holdfast ${origin}/mcp`,
    isShell: true,
  },
  {
    key: 'mcp-claude-desktop',
    title: 'Claude Desktop',
    note: 'Under Settings, Connectors, Add custom connector: an HTTPS address that the internet can reach. Its settings file takes programs only, such as the one below.',
    code: `${origin}/mcp`,
    isShell: false,
  },
  {
    key: 'mcp-cursor',
    title: 'Cursor',
    note: 'In .cursor/mcp.json.',
    code: json({ mcpServers: { holdfast: { url: `${origin}/mcp` } } }),
    isShell: false,
  },
  {
    key: 'mcp-vscode',
    title: 'VS Code',
    note: 'In .vscode/mcp.json.',
    code: json({ servers: { holdfast: { type: 'http', url: `${origin}/mcp` } } }),
    isShell: false,
  },
  {
    key: 'mcp-try',
    title: 'Try it without an agent',
    note: 'Lists the tools.',
    code: `curl -sS -X POST '${origin}/mcp' \\\n  -H 'content-type: application/json' \\\n  -H 'accept: application/json, text/event-stream' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    isShell: true,
  },
  {
    key: 'mcp-sse',
    title: 'The older transport',
    note: 'For clients that know only SSE.',
    code: json({ mcpServers: { holdfast: { type: 'sse', url: `${origin}/mcp/sse` } } }),
    isShell: false,
  },
  {
    key: 'mcp-stdio',
    title: 'With a key that stays on your machine',
    note: 'Claude Desktop (claude_desktop_config.json) and Cursor, from a clone: checks every transaction, then signs it here. Give it a wallet of its own and a limit.',
    // One line for what belongs together: the list would be longer than everything else.
    code: `{
  "mcpServers": {
    "holdfast": {
      "command": "node",
      "args": ["/path/to/holdfast/scripts/run.mjs", "cli/main.ts", "mcp",
        "--url", "${origin}",
        "--keypair", "/home/you/agent.json", "--max-stake", "5"]
    }
  }
}`,
    isShell: false,
  },
];

/** Solana Actions. */
export const actionLines = ({ origin, walletAddress }: Filling): readonly NamedLines[] => [
  {
    key: 'action-look',
    title: 'What a wallet would show',
    note: 'Title, picture, and buttons with amounts.',
    code: `curl -sS '${origin}/api/actions/stake'`,
    isShell: true,
  },
  {
    key: 'action-build',
    title: 'What it would be given to sign',
    note: 'Stakes 2 SOL of this wallet once it is signed.',
    code: `curl -sS -X POST '${origin}/api/actions/stake?amountSol=2' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ account: walletAddress ?? NO_WALLET })}'`,
    isShell: true,
  },
  {
    key: 'action-link',
    title: 'A link that wallets unfurl',
    note: 'For a post or a QR code.',
    code: `solana-action:${origin}/api/actions/stake`,
    isShell: false,
  },
];

/** A receiver of webhooks in one line of any Node: prints what comes, and says that it was received. */
export const RECEIVER_PORT = 4600;

/** The line that starts it. */
export const receiverLine = `node -e "require('http').createServer((q,s)=>{let b='';q.on('data',d=>b+=d).on('end',()=>{console.log(b);s.writeHead(204).end()})}).listen(${RECEIVER_PORT},'127.0.0.1')"`;
