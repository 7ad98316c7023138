// An address or signature: shortened on screen, complete for screen readers and the clipboard.
import { shortAddress } from '../../../src/domain/short-address.ts';
import { defineWords } from '../words/define-words.ts';
import { uiEnglish } from '../words/en/ui.ts';
import styles from './address.module.css';
import { CopyButton } from './controls/copy-button.tsx';
import { Icon } from './icon.tsx';

const { say } = defineWords('ui', uiEnglish);

/**
 * `href` links it, e.g. to an explorer; `whole` shows every character. `what` is its name in labels: "wallet
 * address".
 */
export const Address = ({
  address,
  what = say('address'),
  href,
  whole = false,
}: {
  address: string;
  what?: string;
  href?: string | undefined;
  whole?: boolean;
}) => {
  const text = (
    <span className={whole ? styles.whole : styles.short}>{whole ? address : shortAddress(address)}</span>
  );
  return (
    <span className={styles.address}>
      {href === undefined ? (
        <span title={address}>{text}</span>
      ) : (
        <a href={href} title={address} target="_blank" rel="noopener noreferrer">
          {text}
          <Icon name="external" size={13} />
          <span className="visually-hidden">{say('opensExplorer')}</span>
        </a>
      )}
      <CopyButton text={address} what={what} />
    </span>
  );
};
