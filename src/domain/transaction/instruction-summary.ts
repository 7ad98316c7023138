// Describes each instruction in one sentence that a person can compare with their intent.
import type { Address } from '@solana/kit';
import { type Sentence, type SentenceFigures, sentence } from '../../kernel/sentence.ts';
import type { InstructionFields } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';

/** Text for every instruction, by its stable code. */
const texts = {
  CREATE_ACCOUNT:
    'Creates account {account} of {space} bytes owned by {owner}, with {amountSol} SOL from {from}.',
  TRANSFER: 'Transfers {amountSol} SOL from {from} to {to}.',
  CREATE_WITH_SEED:
    'Creates account {account}, derived from {base} and the seed {seed}, of {space} bytes owned by {owner}, with {amountSol} SOL from {from}.',
  ADVANCE_NONCE: 'Advances the durable nonce {account}.',
  WITHDRAW_NONCE: 'Withdraws {amountSol} SOL from the nonce account {account} to {to}.',
  INITIALIZE_NONCE: 'Makes {account} a nonce account that only {authority} can use.',
  INITIALIZE:
    'Makes {staker} the stake authority and {withdrawer} the withdraw authority of {account}, with no lockup.',
  INITIALIZE_LOCKED:
    'Makes {staker} the stake authority and {withdrawer} the withdraw authority of {account}, locked until Unix time {unixTime} and epoch {epoch}.',
  DELEGATE: 'Delegates stake account {account} to vote account {voteAccount}.',
  DEACTIVATE: 'Deactivates stake account {account}.',
  WITHDRAW: 'Withdraws {amountSol} SOL from stake account {account} to {to}.',
  SPLIT: 'Splits {amountSol} SOL of stake account {account} into {into}.',
  MOVE_STAKE: 'Moves {amountSol} SOL of stake from {account} to {into}.',
  MOVE_LAMPORTS: 'Moves {amountSol} idle SOL from stake account {account} to {into}.',
  MERGE: 'Merges stake account {from} into {account}.',
  AUTHORIZE_STAKER: 'Makes {authority} the stake authority of {account}.',
  AUTHORIZE_WITHDRAWER: 'Makes {authority} the withdraw authority of {account}.',
  MEMO_UNREADABLE: 'Contains a memo that is not text.',
  MEMO: 'Contains the memo {memo}.',
  COMPUTE_LIMIT: 'Limits the transaction to {units} compute units.',
  PRIORITY_FEE: 'Offers a priority fee of {price} micro-lamports per compute unit.',
  WALLET_GUARD: 'Makes the transaction fail if an account is not as the wallet expects; changes nothing.',
  SIGNATURE_CHECK:
    'Has the network verify {signatures} signatures, each charged like a transaction signature.',
  UNKNOWN_INSTRUCTION: 'Runs an instruction of program {program}.',
  OTHER_INSTRUCTION: 'Runs {name} of program {program}.',
} as const;

/** Stable code of an instruction's sentence. */
export type InstructionCode = keyof typeof texts;

const say = (code: InstructionCode, figures?: SentenceFigures): Sentence =>
  sentence(code, texts[code], figures);

/**
 * Returns an address as a parameter of a sentence. Null means that it is hidden in a lookup table; the
 * parameter is `unknown` in that case.
 */
export const addressFigure = (address: Address | null) =>
  address ?? { shown: 'an account from a lookup table', value: 'unknown' };

/**
 * Returns a whole number as a parameter of a sentence: a number or, if it is too large for one, its digits.
 */
const integerFigure = (value: bigint): string | number =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);

/** Builds the sentence for decoded fields. Unknown instructions are described by `program` and `name`. */
export const instructionSentence = (data: InstructionFields, program: string, name: string): Sentence => {
  const account = 'stakeAccount' in data ? addressFigure(data.stakeAccount) : 'unknown';
  const amountSol = 'lamports' in data ? formatSol(data.lamports) : '';
  switch (data.type) {
    case 'system.createAccount': {
      const figures = {
        account: addressFigure(data.newAccount),
        space: integerFigure(data.space),
        owner: data.owner,
        amountSol,
        from: addressFigure(data.from),
      };
      if (data.derivedFrom === undefined) return say('CREATE_ACCOUNT', figures);
      const { base, seed } = data.derivedFrom;
      // The text quotes the seed, so the seed cannot be mistaken for part of the sentence.
      return say('CREATE_WITH_SEED', {
        ...figures,
        base,
        seed: { shown: JSON.stringify(seed), value: seed },
      });
    }
    case 'system.transfer':
      return say('TRANSFER', { amountSol, from: addressFigure(data.from), to: addressFigure(data.to) });
    case 'system.advanceNonceAccount':
      return say('ADVANCE_NONCE', { account: addressFigure(data.nonceAccount) });
    case 'system.withdrawNonceAccount':
      return say('WITHDRAW_NONCE', {
        amountSol,
        account: addressFigure(data.nonceAccount),
        to: addressFigure(data.recipient),
      });
    case 'system.initializeNonceAccount':
      return say('INITIALIZE_NONCE', {
        account: addressFigure(data.nonceAccount),
        authority: data.authority,
      });
    case 'stake.initialize': {
      const { staker, withdrawer } = data;
      const { unixTimestamp, epoch } = data.lockup;
      return unixTimestamp === 0n && epoch === 0n
        ? say('INITIALIZE', { staker, withdrawer, account })
        : say('INITIALIZE_LOCKED', {
            staker,
            withdrawer,
            account,
            unixTime: integerFigure(unixTimestamp),
            epoch: integerFigure(epoch),
          });
    }
    case 'stake.delegateStake':
      return say('DELEGATE', { account, voteAccount: addressFigure(data.voteAccount) });
    case 'stake.deactivate':
      return say('DEACTIVATE', { account });
    case 'stake.withdraw':
      return say('WITHDRAW', { amountSol, account, to: addressFigure(data.recipient) });
    case 'stake.split':
      return say('SPLIT', { amountSol, account, into: addressFigure(data.into) });
    case 'stake.moveStake':
      return say('MOVE_STAKE', { amountSol, account, into: addressFigure(data.into) });
    case 'stake.moveLamports':
      return say('MOVE_LAMPORTS', { amountSol, account, into: addressFigure(data.into) });
    case 'stake.merge':
      return say('MERGE', { from: addressFigure(data.from), account });
    case 'stake.authorize':
      return say(data.role === 'staker' ? 'AUTHORIZE_STAKER' : 'AUTHORIZE_WITHDRAWER', {
        authority: data.newAuthority,
        account,
      });
    case 'memo':
      return data.text === null
        ? say('MEMO_UNREADABLE')
        : // The text quotes the memo, so that the memo cannot be mistaken for part of the sentence.
          say('MEMO', { memo: { shown: JSON.stringify(data.text), value: data.text } });
    case 'computeBudget.setComputeUnitLimit':
      return say('COMPUTE_LIMIT', { units: data.units });
    case 'computeBudget.setComputeUnitPrice':
      return say('PRIORITY_FEE', { price: integerFigure(data.microLamports) });
    case 'lighthouse.assertion':
      return say('WALLET_GUARD');
    case 'precompile.verify':
      return say('SIGNATURE_CHECK', { signatures: data.signatures });
    case 'other':
      return name === 'unknown'
        ? say('UNKNOWN_INSTRUCTION', { program })
        : say('OTHER_INSTRUCTION', { name, program });
  }
};
