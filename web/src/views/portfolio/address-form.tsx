// A form for any wallet's address, to view its stakes.
import { useId, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import styles from './address-form.module.css';
import { looksLikeAddress } from './shown-wallet.ts';

/** `onShow` receives a text that looks like an address. */
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
      <label htmlFor={id}>View any wallet</label>
      <div className={styles.line}>
        <input
          id={id}
          className={styles.input}
          placeholder="Wallet address"
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
        <Button type="submit">Show</Button>
      </div>
      <p id={`${id}-problem`} role="status" className={styles.problem}>
        {problem && 'Not a Solana address. It has 32 to 44 letters and digits.'}
      </p>
    </form>
  );
};
