// A wallet's address, with the operator's label above it.
import { foreignText } from '../text/foreign-text.ts';
import { Address } from '../ui/address.tsx';
import styles from './console.module.css';

/** Renders the address. `label` is null if the operator gave none. */
export const WalletAddress = ({ address, label }: { address: string; label: string | null }) => (
  <>
    {label !== null && <span className={styles.label}>{foreignText(label)}</span>}
    <Address address={address} what="wallet address" />
  </>
);
