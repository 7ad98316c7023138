// Decoded instructions: types shared by the decoder, the builders and the verifier.
import type { Address } from '@solana/kit';
import type { Sentence } from '../kernel/sentence.ts';
import type { Lockup } from './stake/stake-account.ts';

/** An account of an instruction, as listed in the message. */
interface InstructionAccount<A extends Address | null = Address> {
  /** `null` if the message refers to the address only through an address lookup table. */
  readonly address: A;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** An instruction in its wire form. */
export interface RawInstruction<A extends Address | null = Address> {
  readonly programId: Address;
  readonly accounts: readonly InstructionAccount<A>[];
  readonly data: Uint8Array;
}

type Named = Address | null;

/** Fields by instruction. `other` covers all remaining instructions, including malformed data. */
export type InstructionFields =
  | {
      readonly type: 'system.createAccount';
      readonly from: Named;
      readonly newAccount: Named;
      readonly lamports: bigint;
      readonly space: bigint;
      readonly owner: Address;
      /**
       * Set if the address is derived (`createAccountWithSeed`) from a base that signs, a seed and the owner.
       * If absent, the new account signs.
       */
      readonly derivedFrom?: { readonly base: Address; readonly seed: string };
    }
  | { readonly type: 'system.transfer'; readonly from: Named; readonly to: Named; readonly lamports: bigint }
  | {
      readonly type: 'system.advanceNonceAccount';
      readonly nonceAccount: Named;
      readonly nonceAuthority: Named;
    }
  | {
      readonly type: 'system.withdrawNonceAccount';
      readonly nonceAccount: Named;
      readonly recipient: Named;
      readonly nonceAuthority: Named;
      readonly lamports: bigint;
    }
  | {
      readonly type: 'system.initializeNonceAccount';
      readonly nonceAccount: Named;
      readonly authority: Address;
    }
  | {
      readonly type: 'stake.initialize';
      readonly stakeAccount: Named;
      readonly staker: Address;
      readonly withdrawer: Address;
      /** All fields are zero if there is no lockup. */
      readonly lockup: Lockup;
    }
  | {
      readonly type: 'stake.delegateStake';
      readonly stakeAccount: Named;
      readonly voteAccount: Named;
      readonly stakeAuthority: Named;
    }
  | { readonly type: 'stake.deactivate'; readonly stakeAccount: Named; readonly stakeAuthority: Named }
  | {
      readonly type: 'stake.withdraw';
      readonly stakeAccount: Named;
      readonly recipient: Named;
      readonly withdrawAuthority: Named;
      readonly custodian: Named;
      readonly lamports: bigint;
    }
  /** Stake or lamports move from `stakeAccount` to `into`. */
  | {
      readonly type: 'stake.split' | 'stake.moveStake' | 'stake.moveLamports';
      readonly stakeAccount: Named;
      readonly into: Named;
      readonly stakeAuthority: Named;
      readonly lamports: bigint;
    }
  /** `from` is closed, and its whole balance goes to `stakeAccount`. */
  | {
      readonly type: 'stake.merge';
      readonly stakeAccount: Named;
      readonly from: Named;
      readonly stakeAuthority: Named;
    }
  | {
      readonly type: 'stake.authorize';
      readonly stakeAccount: Named;
      readonly authority: Named;
      readonly custodian: Named;
      readonly role: 'staker' | 'withdrawer';
      readonly newAuthority: Address;
    }
  /** `text` is null if the bytes are not UTF-8. */
  | { readonly type: 'memo'; readonly text: string | null }
  | { readonly type: 'computeBudget.setComputeUnitLimit'; readonly units: number }
  | { readonly type: 'computeBudget.setComputeUnitPrice'; readonly microLamports: bigint }
  /**
   * A precompile, which only verifies the signatures in its data. The network charges a fee for each
   * signature.
   */
  | { readonly type: 'precompile.verify'; readonly signatures: number }
  /** A Lighthouse assertion. Fails the transaction if it does not hold, and changes nothing. */
  | { readonly type: 'lighthouse.assertion' }
  | { readonly type: 'other' };

/** A decoded instruction with a description and its fields. */
export interface DecodedInstruction<A extends Address | null = Address> {
  /** Name of the program, or its address if unknown. */
  readonly program: string;
  readonly programId: Address;
  /** The program's name for the instruction, or `unknown`. */
  readonly name: string;
  /** One sentence for display. `data` has the same content. */
  readonly summary: string;
  readonly summarySentences: readonly Sentence[];
  /** Accounts in the order of the message. `role` is the account's purpose. */
  readonly accounts: readonly (InstructionAccount<A> & { readonly role: string })[];
  readonly data: InstructionFields;
}

/** Instructions that this service builds, other than those of the compute budget. */
export type OwnInstruction = Extract<
  InstructionFields['type'],
  `system.${string}` | `stake.${string}` | 'memo'
>;
