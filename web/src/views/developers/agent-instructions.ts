// Instructions for agents and wallets: MCP over HTTP, SSE and stdio, and Solana Actions.
import { VERSION } from '../../../../client/version.ts';
import { defineWords } from '../../words/define-words.ts';
import { developersEnglish } from '../../words/en/developers/developers.ts';
import { NO_WALLET, type SnippetValues } from './snippets.ts';

const { say } = defineWords('developers', developersEnglish);

interface NamedLines {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  readonly code: string;
  /** True for shell commands, false for a configuration file. */
  readonly isShell: boolean;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** Lines for MCP. */
export const mcpLines = ({ origin }: SnippetValues): readonly NamedLines[] => [
  {
    key: 'mcp-claude-code',
    title: say('claudeCode'),
    note: say('claudeCodeNote'),
    code: `claude mcp add --transport http holdfast ${origin}/mcp`,
    isShell: true,
  },
  {
    key: 'mcp-claude-desktop',
    title: say('claudeDesktop'),
    note: say('claudeDesktopNote'),
    code: `${origin}/mcp`,
    isShell: false,
  },
  {
    key: 'mcp-cursor',
    title: 'Cursor',
    note: say('inFile', { file: '.cursor/mcp.json' }),
    code: json({ mcpServers: { holdfast: { url: `${origin}/mcp` } } }),
    isShell: false,
  },
  {
    key: 'mcp-vscode',
    title: say('vsCode'),
    note: say('inFile', { file: '.vscode/mcp.json' }),
    code: json({ servers: { holdfast: { type: 'http', url: `${origin}/mcp` } } }),
    isShell: false,
  },
  {
    key: 'mcp-try',
    title: say('tryWithoutAgent'),
    note: say('tryWithoutAgentNote'),
    code: `curl -sS -X POST '${origin}/mcp' \\\n  -H 'content-type: application/json' \\\n  -H 'accept: application/json, text/event-stream' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    isShell: true,
  },
  {
    key: 'mcp-sse',
    title: say('legacyTransport'),
    note: say('legacyTransportNote'),
    code: json({ mcpServers: { holdfast: { type: 'sse', url: `${origin}/mcp/sse` } } }),
    isShell: false,
  },
  {
    key: 'mcp-stdio-install',
    title: say('signLocally'),
    note: say('signLocallyNote'),
    code: `npm install --prefix ~/holdfast-agent ${origin}/holdfast-${VERSION}.tgz
cd ~/holdfast-agent
npx --no holdfast keygen agent.json
npx --no holdfast trust --url ${origin}`,
    isShell: true,
  },
  {
    key: 'mcp-stdio',
    title: say('itsSetting'),
    note: say('itsSettingNote'),
    // Written with one line per entry, to keep the block short.
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

/** Returns the lines for Solana Actions. */
export const actionLines = ({ origin, walletAddress }: SnippetValues): readonly NamedLines[] => [
  {
    key: 'action-look',
    title: say('seeWhatWalletShows'),
    note: say('seeWhatWalletShowsNote'),
    code: `curl -sS '${origin}/api/actions/stake'`,
    isShell: true,
  },
  {
    key: 'action-build',
    title: say('getTransaction'),
    note: say('getTransactionNote'),
    code: `curl -sS -X POST '${origin}/api/actions/stake?amountSol=2' \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify({ account: walletAddress ?? NO_WALLET })}'`,
    isShell: true,
  },
  {
    key: 'action-link',
    title: say('shareableLink'),
    note: say('shareableLinkNote'),
    code: `solana-action:${origin}/api/actions/stake`,
    isShell: false,
  },
];

/** Port of a one-line webhook receiver that prints and acknowledges deliveries. */
export const RECEIVER_PORT = 4600;

/** Command that starts the receiver. */
export const receiverCommand = `node -e "require('http').createServer((q,s)=>{let b='';q.on('data',d=>b+=d).on('end',()=>{console.log(b);s.writeHead(204).end()})}).listen(${RECEIVER_PORT},'127.0.0.1')"`;
