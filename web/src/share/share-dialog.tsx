// The share dialog: address, a sentence, a QR code, and a button for other websites. Loaded on demand.
import { useState } from 'react';
import { formatSol } from '../../../src/domain/lamports.ts';
import { stakeWith } from '../../../src/http/pages/brand/page-brand.ts';
import { brand } from '../state/brand.ts';
import { foreignText } from '../text/foreign-text.ts';
import { readSol } from '../text/read-sol.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QrPicture } from './qr-picture.tsx';
import styles from './share-dialog.module.css';
import { amountOfQuery, buttonSnippet, shareText, stakeLink } from './share-links.ts';

/** The link to the stake page may include an amount; links to other views are unchanged. */
export const ShareDialog = ({ onClose }: { onClose: () => void }) => {
  const isStake = location.pathname === '/';
  const [typed, setTyped] = useState(amountOfQuery(location.search) ?? '');
  const { lamports } = readSol(typed);
  const amount = lamports === null || lamports <= 0n ? null : formatSol(lamports);
  const link = isStake ? stakeLink(location.origin, amount) : location.href;
  const text = shareText(brand.name, link);
  return (
    <Dialog title="Share this page" onClose={onClose}>
      <div className={styles.content}>
        {isStake && (
          <TextField
            label="Amount in the link, SOL"
            value={typed}
            onChange={setTyped}
            inputMode="decimal"
            placeholder="none"
            hint="Fills in the amount. People who follow the link still choose, review and sign themselves."
            problem={typed.trim() !== '' && amount === null && 'Write a number such as 5 or 2.5.'}
          />
        )}
        <div className={styles.link}>
          <QrPicture text={link} what={`QR code of ${link}`} />
          <div className={styles.lines}>
            <h3>Link</h3>
            <p className={styles.text}>
              <code>{link}</code> <CopyButton text={link} what="link" />
            </p>
            <h3>Text</h3>
            <p className={styles.text}>
              {foreignText(text)} <CopyButton text={text} what="text" />
            </p>
          </div>
        </div>
        <div className={styles.lines}>
          <h3>Button for your site</h3>
          <p className={styles.text}>A picture with a link: no script, no frame.</p>
          <img
            src="/button.svg"
            alt={foreignText(stakeWith(brand.name))}
            height={44}
            className={styles.button}
          />
          <CodeBlock
            code={buttonSnippet(brand.name, location.origin, stakeLink(location.origin, amount))}
            what="lines of the button"
          />
        </div>
      </div>
    </Dialog>
  );
};
