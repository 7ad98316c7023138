// Instructions for agents and wallets: MCP over HTTP, SSE and standard input, and Solana Actions.
import { VERSION } from '../../../../client/version.ts';
import { type Filling, NO_WALLET } from './snippets.ts';

/** Named lines. */
interface NamedLines {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly code: string;
  /** True for a shell command, false for a setting. */
  readonly isShell: boolean;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** MCP. */
export const mcpLines = ({ origin }: Filling): readonly NamedLines[] => [
  {
    key: 'mcp-claude-code',
    title: 'Claude Code',
    note: 'Streamable HTTP, no login. Tools take no key unless the operator allows it.',
    code: `claude mcp add --transport http holdfast ${origin}/mcp`,
    isShell: true,
  },
  {
    key: 'mcp-claude-desktop',
    title: 'Claude Desktop',
    note: 'Settings › Connectors › Add custom connector. Needs a public HTTPS address. The settings file accepts local programs only, such as the one below.',
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
    title: 'Legacy transport',
    note: 'For clients that support only SSE.',
    code: json({ mcpServers: { holdfast: { type: 'sse', url: `${origin}/mcp/sse` } } }),
    isShell: false,
  },
  {
    key: 'mcp-stdio-install',
    title: 'Sign on your machine',
    note: 'Claude Desktop (claude_desktop_config.json) and Cursor. Checks every transaction, then signs it locally. Make a folder with the package and a separate wallet first, and set a limit:',
    code: `npm install --prefix ~/holdfast-agent ${origin}/holdfast-${VERSION}.tgz
cd ~/holdfast-agent
npx --no holdfast keygen agent.json
npx --no holdfast trust --url ${origin}`,
    isShell: true,
  },
  {
    key: 'mcp-stdio',
    title: 'Its setting',
    note: 'With the folder’s path as pwd prints it.',
    // One line per entry keeps the list short.
    code: `{
  "mcpServers": {
    "holdfast": {
      "command": "npx",
      "args": ["--no", "--prefix", "/home/you/holdfast-agent",
        "holdfast", "mcp", "--url", "${origin}",
        "--keypair", "/home/you/holdfast-agent/agent.json",
        "--max-stake", "5"]
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
    title: 'See what a wallet shows',
    note: 'Title, picture, and buttons with amounts.',
    code: `curl -sS '${origin}/api/actions/stake'`,
    isShell: true,
  },
  {
    key: 'action-build',
    title: 'Get the transaction to sign',
    note: 'Stakes 2 SOL from this wallet once signed.',
    code: `curl -sS -X POST '${origin}/api/actions/stake?amountSol=2' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ account: walletAddress ?? NO_WALLET })}'`,
    isShell: true,
  },
  {
    key: 'action-link',
    title: 'Shareable link',
    note: 'For posts and QR codes. Wallets show it as a card.',
    code: `solana-action:${origin}/api/actions/stake`,
    isShell: false,
  },
];

/** Port of a one-line webhook receiver that prints and acknowledges deliveries. */
export const RECEIVER_PORT = 4600;

/** The command that starts it. */
export const receiverLine = `node -e "require('http').createServer((q,s)=>{let b='';q.on('data',d=>b+=d).on('end',()=>{console.log(b);s.writeHead(204).end()})}).listen(${RECEIVER_PORT},'127.0.0.1')"`;
