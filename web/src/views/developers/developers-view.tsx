// The Developers view: calling the service from code, agents and wallets, and receiving webhooks.

import { ViewHeading } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { AutopilotCard } from './autopilot/autopilot-card.tsx';
import { AgentsCard, CallsCard } from './calls-card.tsx';
import styles from './developers-view.module.css';
import { WebhooksCard } from './webhooks/webhooks-card.tsx';

const DOCUMENTS = [
  ['/docs', 'Documentation'],
  ['/docs/guides/quick-start', 'Quick start'],
  ['/docs/guides/link', 'Link and button'],
  ['/docs/guides/sign', 'Sign with your wallet'],
  ['/docs/guides/client', 'Typed client'],
  ['/docs/guides/webhooks', 'Webhooks'],
  ['/docs/guides/mcp', 'Agents (MCP)'],
  ['/docs/guides/errors', 'Errors'],
  ['/docs/reference', 'API reference'],
  ['/openapi.json', 'openapi.json'],
  ['/llms.txt', 'llms.txt'],
] as const;

/** `/developers` */
export const DevelopersView = () => (
  <>
    <ViewHeading title="Developers and agents">
      Everything here uses the public API. No account, no API key. Copy a line and run it.
    </ViewHeading>
    <nav className={styles.documents} aria-label="Documents">
      {DOCUMENTS.map(([href, name]) => (
        <ButtonLink key={href} size="s" icon="link" href={href}>
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
