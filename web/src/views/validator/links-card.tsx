// External pages about this validator, and commands that query the chain directly.
import { LoadError } from '../../api/load-error.tsx';
import { noticeText, verifierText } from '../../text/notice-text.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { defineWords } from '../../words/define-words.ts';
import { validatorEnglish } from '../../words/en/validator.ts';
import styles from './validator-view.module.css';
import { useLinks } from './validator-view-reads.ts';

const { say } = defineWords('validator', validatorEnglish);

const DASHBOARDS = ['stakewiz', 'validatorsApp', 'solanaBeach', 'solscan', 'jpool', 'solanaCompass'] as const;

const ExternalLink = ({ href, name }: { href: string; name: string }) => (
  <ButtonLink size="s" icon="external" href={href} target="_blank" rel="noopener noreferrer">
    {name}
    <span className="visually-hidden"> {say('opensNewTab')}</span>
  </ButtonLink>
);

/** The service's warning comes before the links it is about. */
export const LinksCard = () => {
  const links = useLinks();
  const { data } = links;
  return (
    <Card title={say('independentSources')} note={say('independentNote')}>
      <LoadError resource={links} what={say('theLinks')} />
      {links.pending && <SkeletonText lines={4} what={say('loadingLinks')} />}
      {data !== undefined && (
        <div className={styles.stack}>
          {data.notices.map((notice) => (
            <Notice key={notice.text} tone="warn">
              {noticeText(notice)}
            </Notice>
          ))}
          <div className={styles.pills}>
            {DASHBOARDS.map((key) => (
              <ExternalLink key={key} href={data[key]} name={say(key)} />
            ))}
            <ExternalLink
              href={data.additionalDashboards.stakeStewardHistory}
              name={say('stakenetSteward')}
            />
            <ExternalLink href={data.additionalDashboards.epochHistory} name={say('stakenetEpochs')} />
          </div>
          <details className={styles.details}>
            <summary>{say('queryYourself')}</summary>
            <p>{verifierText(data.onChainVerification.descriptionSentences)}</p>
            {data.onChainVerification.commands.map((command) => (
              <CodeBlock key={command} code={command} what={say('command')} />
            ))}
          </details>
        </div>
      )}
    </Card>
  );
};
