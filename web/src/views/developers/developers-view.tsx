// The Developers view: calling the service from code, agents and wallets, and receiving webhooks.

import { ViewHeading } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { defineWords } from '../../words/define-words.ts';
import { developersEnglish } from '../../words/en/developers/developers.ts';
import { AutopilotCard } from './autopilot/autopilot-card.tsx';
import { AgentsCard, CallsCard } from './calls-card.tsx';
import styles from './developers-view.module.css';
import { WebhooksCard } from './webhooks/webhooks-card.tsx';

const { say } = defineWords('developers', developersEnglish);

const DOCUMENTS = [
  ['/docs', 'documentation'],
  ['/docs/guides/quick-start', 'quickStart'],
  ['/docs/guides/link', 'linkAndButton'],
  ['/docs/guides/sign', 'signWithWallet'],
  ['/docs/guides/client', 'typedClient'],
  ['/docs/guides/webhooks', 'webhooks'],
  ['/docs/guides/mcp', 'agentsMcp'],
  ['/docs/guides/errors', 'errors'],
  ['/docs/reference', 'apiReference'],
] as const;

const FILES = ['openapi.json', 'llms.txt'] as const;

/** `/developers` */
export const DevelopersView = () => (
  <>
    <ViewHeading title={say('heading')}>{say('lead')}</ViewHeading>
    <nav className={styles.documents} aria-label={say('documents')}>
      {DOCUMENTS.map(([href, name]) => (
        <ButtonLink key={href} size="s" href={href}>
          {say(name)}
        </ButtonLink>
      ))}
      {FILES.map((name) => (
        <ButtonLink key={name} size="s" href={`/${name}`}>
          {name}
        </ButtonLink>
      ))}
    </nav>
    <div className={styles.grid}>
      <div className={styles.column}>
        <CallsCard />
        <WebhooksCard />
      </div>
      <div className={styles.column}>
        <AgentsCard />
        <AutopilotCard />
      </div>
    </div>
  </>
);
