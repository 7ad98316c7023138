// How the service is called, in the language of one's choice, and from agents and wallets.
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { shortAddress } from '../../ui/format.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { actionLines, mcpLines } from './agent-lines.ts';
import styles from './developers-view.module.css';
import { Lines } from './lines.tsx';
import { type Filling, LANGUAGES, type Language, makeSnippets } from './snippets.ts';

const FROM_A_CLONE: Readonly<Partial<Record<Language, string>>> = {
  client:
    'Runs in a clone of the project, as a .ts file at its root, on Node 26. Nothing is published on a registry.',
  cli: 'Runs in a clone of the project. Keys stay on your machine; bytes are checked before they are signed.',
};

const useFilling = (): Filling => {
  const { walletAddress } = useWallet();
  return { origin: location.origin, walletAddress };
};

/** The calls. */
export const CallsCard = () => {
  const [language, setLanguage] = useState<Language>('curl');
  const filling = useFilling();
  return (
    <Card
      title="Call it"
      note={
        filling.walletAddress === null
          ? 'Connect a wallet and its address stands in these lines'
          : `Filled with ${location.host} and your wallet ${shortAddress(filling.walletAddress)}`
      }
    >
      <Tabs label="Language" tabs={LANGUAGES} value={language} onChange={setLanguage} compact>
        <div className={styles.panel}>
          {FROM_A_CLONE[language] !== undefined && <p className={styles.muted}>{FROM_A_CLONE[language]}</p>}
          {makeSnippets(filling).map(({ key, title, note, code }) => (
            <Lines key={key} name={`${language} ${key}`} title={title} note={note} code={code[language]} />
          ))}
        </div>
      </Tabs>
    </Card>
  );
};

const WAYS = [
  { value: 'mcp', label: 'MCP' },
  { value: 'actions', label: 'Solana Actions' },
] as const;

/** MCP and Actions. */
export const AgentsCard = () => {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('mcp');
  const filling = useFilling();
  return (
    <Card title="From agents and wallets" note="The same operations, checks and errors">
      <Tabs label="Way" tabs={WAYS} value={way} onChange={setWay} compact>
        <div className={styles.panel}>
          {(way === 'mcp' ? mcpLines(filling) : actionLines(filling)).map(({ key, title, note, code }) => (
            <Lines key={key} name={key} title={title} note={note} code={code} />
          ))}
        </div>
      </Tabs>
    </Card>
  );
};
