// The share dialog: a link, a sentence, a QR code, and a button for other websites. Loaded on demand.
import { useState } from 'react';
import { formatSol } from '../../../src/domain/lamports.ts';
import { stakeButtonText } from '../../../src/http/pages/brand/page-brand.ts';
import { brand } from '../state/document-brand.ts';
import { foreignText } from '../text/foreign-text.ts';
import { readSol } from '../text/read-sol.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { defineWords } from '../words/define-words.ts';
import { shareEnglish } from '../words/en/share.ts';
import { QrPicture } from './qr-picture.tsx';
import styles from './share-dialog.module.css';
import { amountOfQuery, buttonSnippet, stakeLink } from './share-links.ts';

const { say } = defineWords('share', shareEnglish);

/**
 * Renders the dialog. Only a link to the stake page may include an amount. The portfolio shares that link too, because
 * its own address would open the reader's own portfolio.
 */
export const ShareDialog = ({ onClose }: { onClose: () => void }) => {
  const isStake = ['/', '/portfolio'].includes(location.pathname.replace(/(?<=.)\/+$/, ''));
  const [typed, setTyped] = useState(amountOfQuery(location.search) ?? '');
  const { lamports } = readSol(typed);
  const amount = lamports === null || lamports <= 0n ? null : formatSol(lamports);
  const link = isStake ? stakeLink(location.origin, amount) : location.href;
  const text = say('invitation', { name: brand.name, link });
  return (
    <Dialog title={say('title')} onClose={onClose}>
      <div className={styles.content}>
        {isStake && (
          <TextField
            label={say('amount')}
            value={typed}
            onChange={setTyped}
            inputMode="decimal"
            placeholder={say('none')}
            hint={say('amountHint')}
            problem={typed.trim() !== '' && amount === null && say('amountProblem')}
          />
        )}
        <div className={styles.link}>
          <QrPicture text={link} what={say('qrCode', { link })} />
          <div className={styles.lines}>
            <h3>{say('link')}</h3>
            <p className={styles.text}>
              <code>{link}</code> <CopyButton text={link} what={say('linkToCopy')} />
            </p>
            <h3>{say('text')}</h3>
            <p className={styles.text}>
              {foreignText(text)} <CopyButton text={text} what={say('textToCopy')} />
            </p>
          </div>
        </div>
        <div className={styles.lines}>
          <h3>{say('button')}</h3>
          <p className={styles.text}>{say('buttonText')}</p>
          <img
            src="/button.svg"
            alt={foreignText(stakeButtonText(brand.name))}
            height={44}
            className={styles.button}
          />
          <CodeBlock
            code={buttonSnippet(brand.name, location.origin, stakeLink(location.origin, amount))}
            what={say('buttonLines')}
          />
        </div>
      </div>
    </Dialog>
  );
};
