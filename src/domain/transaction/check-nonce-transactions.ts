// Checks transactions that create, advance or close a nonce account, and the nonce advance at the start of a
// transaction whose lifetime is a nonce value.
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../instruction-programs.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { NONCE_ACCOUNT_BYTES } from '../nonce-account.ts';
import { fieldIfKnown } from './check-single-account.ts';
import type { Expectations, Fields, KindCheckInput, KindFacts } from './kind-record.ts';
import type { RecordUnless } from './verifier-problems.ts';

/**
 * Highest rent-exempt minimum accepted for a nonce account. The minimum was 1,447,680 lamports for 80 bytes
 * and has fallen since.
 */
const MAX_NONCE_RENT_LAMPORTS = 2_000_000n;

/** Instructions of each form, not counting the memo. */
const FORMS: readonly (readonly InstructionFields['type'][])[] = [
  ['system.createAccount', 'system.initializeNonceAccount'],
  ['system.advanceNonceAccount'],
  ['system.withdrawNonceAccount'],
];

/** Returns true if the System instructions of the transaction are exactly one of the forms. */
export const isNonceForm = (fields: readonly InstructionFields[]): boolean => {
  const types = fields.map(({ type }) => type).filter((type) => type.startsWith('system.'));
  return FORMS.some((form) => form.join() === types.join());
};

const checkCreate = (
  { from, newAccount, derivedFrom, lamports, space, owner }: Fields<'system.createAccount'>,
  { wallet, demand }: KindCheckInput,
): void => {
  demand(from === wallet, 'FUNDED_BY_OTHER');
  // Only the wallet can create an address that is derived from it, so no one else can put other data there.
  demand(derivedFrom?.base === wallet && newAccount !== null, 'NONCE_OF_OTHER');
  demand(owner === SYSTEM_PROGRAM && space === BigInt(NONCE_ACCOUNT_BYTES), 'NOT_A_NONCE_ACCOUNT');
  demand(lamports <= MAX_NONCE_RENT_LAMPORTS, 'NONCE_RENT_TOO_HIGH');
};

/** Requires that only the wallet funds, uses and empties the nonce account. */
export const checkNonce = (checking: KindCheckInput): KindFacts => {
  const { fields, wallet, demand } = checking;
  let facts: Omit<KindFacts, 'signers'> = {};
  let created: Address | null = null;
  for (const data of fields) {
    if (data.type === 'system.createAccount') {
      checkCreate(data, checking);
      created = data.newAccount;
      facts = { lamports: data.lamports };
    }
    if (data.type === 'system.initializeNonceAccount')
      demand(data.nonceAccount === created && data.authority === wallet, 'NONCE_OF_OTHER');
    if (data.type === 'system.advanceNonceAccount') demand(data.nonceAuthority === wallet, 'NONCE_OF_OTHER');
    if (data.type === 'system.withdrawNonceAccount') {
      demand(data.nonceAuthority === wallet, 'NONCE_OF_OTHER');
      demand(data.recipient === wallet, 'OTHER_RECIPIENT');
      facts = { lamports: data.lamports, ...fieldIfKnown('recipient', data.recipient) };
    }
  }
  return { ...facts, signers: [] };
};

/** Checks the nonce advance at the start. A transaction without one expires with its blockhash. */
export const checkLifetimeNonce = (
  advance: Fields<'system.advanceNonceAccount'> | null,
  { nonceAccount }: Pick<Expectations, 'nonceAccount'>,
  wallet: Address,
  demand: RecordUnless,
): void => {
  if (advance === null) {
    demand(nonceAccount === undefined || nonceAccount === 'any', 'NONCE_MISSING');
    return;
  }
  demand(nonceAccount !== undefined, 'NONCE_NOT_ASKED');
  demand(
    nonceAccount === undefined || nonceAccount === 'any' || advance.nonceAccount === nonceAccount,
    'OTHER_NONCE',
  );
  demand(advance.nonceAuthority === wallet, 'NONCE_OF_OTHER');
};
