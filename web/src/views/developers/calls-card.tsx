// Example calls of the service in several languages, from agents and from wallets.
import { useState } from 'react';
import { shortAddress } from '../../text/format-figures.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { actionLines, mcpLines } from './agent-lines.ts';
import styles from './developers-view.module.css';
import { type Filling, LANGUAGES, type Language, makeSnippets, preparations } from './snippets.ts';

/** `name` identifies it in tests. */
const Lines = ({ name, title, note, code }: { name: string; title: string; note: string; code: string }) => (
  <div className={styles.lines} data-lines={name}>
    <h3>{title}</h3>
    <p>{note}</p>
    <CodeBlock code={code} what={`lines: ${title}`} />
  </div>
);

const useFilling = (): Filling => {
  const { walletAddress } = useWallet();
  return { origin: location.origin, walletAddress };
};

/** The example calls. */
export const CallsCard = () => {
  const [language, setLanguage] = useState<Language>('curl');
  const filling = useFilling();
  const preparation = preparations(filling)[language];
  return (
    <Card
      title="Make a call"
      note={
        filling.walletAddress === null
          ? 'Connect a wallet to fill in its address'
          : `Filled with ${location.host} and your wallet ${shortAddress(filling.walletAddress)}`
      }
    >
      <Tabs label="Language" tabs={LANGUAGES} value={language} onChange={setLanguage} compact>
        <div className={styles.panel}>
          {preparation !== undefined &&
            (preparation.code === undefined ? (
              <p className={styles.muted}>{preparation.note}</p>
            ) : (
              <Lines
                name={`${language} install`}
                title="Install"
                note={preparation.note}
                code={preparation.code}
              />
            ))}
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
    <Card title="From agents and wallets" note="Same operations, same checks, same errors">
      <Tabs label="Interface" tabs={WAYS} value={way} onChange={setWay} compact>
        <div className={styles.panel}>
          {(way === 'mcp' ? mcpLines(filling) : actionLines(filling)).map(({ key, title, note, code }) => (
            <Lines key={key} name={key} title={title} note={note} code={code} />
          ))}
        </div>
      </Tabs>
    </Card>
  );
};
