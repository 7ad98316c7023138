// External pages about this validator, and commands that query the chain directly.
import { LoadError } from '../../api/load-error.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { useLinks } from './validator-reads.ts';
import styles from './validator-view.module.css';

const DASHBOARDS = [
  ['stakewiz', 'Stakewiz'],
  ['validatorsApp', 'validators.app'],
  ['solanaBeach', 'Solana Beach'],
  ['solscan', 'Solscan'],
  ['jpool', 'JPool'],
  ['solanaCompass', 'Solana Compass'],
] as const;

const ExternalLink = ({ href, name }: { href: string; name: string }) => (
  <ButtonLink size="s" icon="external" href={href} target="_blank" rel="noopener noreferrer">
    {name}
    <span className="visually-hidden"> (opens a new tab)</span>
  </ButtonLink>
);

/** The service's warning comes before the links it is about. */
export const LinksCard = () => {
  const links = useLinks();
  const { data } = links;
  return (
    <Card title="Independent sources" note="Dashboards and nodes not run by this service">
      <LoadError resource={links} what="The links" />
      {links.pending && <SkeletonText lines={4} what="Loading the links" />}
      {data !== undefined && (
        <div className={styles.stack}>
          {data.warnings.map((warning) => (
            <Notice key={warning} tone="warn">
              {warning}
            </Notice>
          ))}
          <div className={styles.pills}>
            {DASHBOARDS.map(([key, name]) => (
              <ExternalLink key={key} href={data[key]} name={name} />
            ))}
            <ExternalLink href={data.additionalDashboards.stakeStewardHistory} name="Stakenet: steward" />
            <ExternalLink href={data.additionalDashboards.epochHistory} name="Stakenet: epochs" />
          </div>
          <details className={styles.details}>
            <summary>Query the chain yourself</summary>
            <p>{data.onChainVerification.description}</p>
            {data.onChainVerification.commands.map((command) => (
              <CodeBlock key={command} code={command} what="command" />
            ))}
          </details>
        </div>
      )}
    </Card>
  );
};
