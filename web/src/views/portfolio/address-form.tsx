// A form for any wallet's address, to view its stakes.
import { useId, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { defineWords } from '../../words/define-words.ts';
import { portfolioOverviewEnglish } from '../../words/en/portfolio/overview.ts';
import styles from './address-form.module.css';
import { looksLikeAddress } from './shown-wallet.ts';

const { say } = defineWords('portfolioOverview', portfolioOverviewEnglish);

/** `onShow` receives a text in the format of an address. */
export const AddressForm = ({ onShow }: { onShow: (address: string) => void }) => {
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const address = text.trim();
        setProblem(!looksLikeAddress(address));
        if (looksLikeAddress(address)) onShow(address);
      }}
    >
      <label htmlFor={id}>{say('viewAnyWallet')}</label>
      <div className={styles.line}>
        <input
          id={id}
          className={styles.input}
          placeholder={say('addressField')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          aria-invalid={problem || undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(false);
          }}
        />
        <Button type="submit">{say('show')}</Button>
      </div>
      <p id={`${id}-problem`} role="status" className={styles.problem}>
        {problem && say('notAnAddress')}
      </p>
    </form>
  );
};
