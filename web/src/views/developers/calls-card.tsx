// Example calls of the service: in several languages, for agents and for wallets.
import { useState } from 'react';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { useWallet } from '../../wallet/use-wallet.ts';
import { defineWords } from '../../words/define-words.ts';
import { developersEnglish } from '../../words/en/developers/developers.ts';
import { actionLines, mcpLines } from './agent-instructions.ts';
import styles from './developers-view.module.css';
import { type Language, languageTabs, makeSnippets, preparations, type SnippetValues } from './snippets.ts';

const { say } = defineWords('developers', developersEnglish);

/** `name` identifies the block in tests. */
const Lines = ({ name, title, note, code }: { name: string; title: string; note: string; code: string }) => (
  <div className={styles.lines} data-lines={name}>
    <h3>{title}</h3>
    <p>{note}</p>
    <CodeBlock code={code} what={say('linesOf', { title })} />
  </div>
);

const useFilling = (): SnippetValues => {
  const { walletAddress } = useWallet();
  return { origin: location.origin, walletAddress };
};

export const CallsCard = () => {
  const [language, setLanguage] = useState<Language>('curl');
  const filling = useFilling();
  const preparation = preparations(filling)[language];
  return (
    <Card
      title={say('makeCall')}
      note={
        filling.walletAddress === null
          ? say('connectToFill')
          : say('filledWith', { host: location.host, wallet: shortAddress(filling.walletAddress) })
      }
    >
      <Tabs label={say('language')} tabs={languageTabs()} value={language} onChange={setLanguage} compact>
        <div className={styles.panel}>
          {preparation !== undefined &&
            (preparation.code === undefined ? (
              <p className={styles.muted}>{preparation.note}</p>
            ) : (
              <Lines
                name={[language, 'install'].join(' ')}
                title={say('install')}
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

export const AgentsCard = () => {
  const [way, setWay] = useState<'mcp' | 'actions'>('mcp');
  const filling = useFilling();
  const ways = [
    { value: 'mcp', label: 'MCP' },
    { value: 'actions', label: say('solanaActions') },
  ] as const;
  return (
    <Card title={say('fromAgents')} note={say('fromAgentsNote')}>
      <Tabs label={say('interface')} tabs={ways} value={way} onChange={setWay} compact>
        <div className={styles.panel}>
          {(way === 'mcp' ? mcpLines(filling) : actionLines(filling)).map(({ key, title, note, code }) => (
            <Lines key={key} name={key} title={title} note={note} code={code} />
          ))}
        </div>
      </Tabs>
    </Card>
  );
};
