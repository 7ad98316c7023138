// What an instruction says once decoded: types shared by the decoder, the builders and the verifier.
import type { Address } from '@solana/kit';

/** An account of an instruction as it stands in the message. */
interface InstructionAccount<A extends Address | null = Address> {
  /** `null` only where the address lives in an address lookup table and cannot be known from the message. */
  readonly address: A;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** An instruction as the message carries it. */
export interface RawInstruction<A extends Address | null = Address> {
  readonly programId: Address;
  readonly accounts: readonly InstructionAccount<A>[];
  readonly data: Uint8Array;
}

/** A lockup as `Initialize` sets it; all three are zero (the custodian is the System program's address) when there is none. */
interface LockupFields {
  /** Seconds since the Unix epoch. */
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  readonly custodian: Address;
}

type Named = Address | null;

/** The fields that matter, by instruction. `other` is everything this service never builds, malformed data included. */
export type InstructionFields =
  | {
      readonly type: 'system.createAccount';
      readonly from: Named;
      readonly newAccount: Named;
      readonly lamports: bigint;
      readonly space: bigint;
      readonly owner: Address;
    }
  | { readonly type: 'system.transfer'; readonly from: Named; readonly to: Named; readonly lamports: bigint }
  | {
      readonly type: 'system.advanceNonceAccount';
      readonly nonceAccount: Named;
      readonly nonceAuthority: Named;
    }
  | {
      readonly type: 'stake.initialize';
      readonly stakeAccount: Named;
      readonly staker: Address;
      readonly withdrawer: Address;
      readonly lockup: LockupFields;
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
  /** `stakeAccount` gives, `into` takes. */
  | {
      readonly type: 'stake.split' | 'stake.moveStake' | 'stake.moveLamports';
      readonly stakeAccount: Named;
      readonly into: Named;
      readonly stakeAuthority: Named;
      readonly lamports: bigint;
    }
  /** `from` is closed, all of it goes to `stakeAccount`. */
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
  /** `text` is null when the bytes are not UTF-8. */
  | { readonly type: 'memo'; readonly text: string | null }
  | { readonly type: 'computeBudget.setComputeUnitLimit'; readonly units: number }
  | { readonly type: 'computeBudget.setComputeUnitPrice'; readonly microLamports: bigint }
  /** A program that only checks signatures written into its data; the network charges for each. */
  | { readonly type: 'precompile.verify'; readonly signatures: number }
  /** Lighthouse checks something and fails the transaction if it does not hold; it changes nothing. */
  | { readonly type: 'lighthouse.assertion' }
  | { readonly type: 'other' };

/** An instruction in words and fields. */
export interface DecodedInstruction<A extends Address | null = Address> {
  /** The program's name, or its address when it is not a known one. */
  readonly program: string;
  readonly programId: Address;
  /** The instruction's name as its program calls it, or `unknown`. */
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  /** Same order as in the message; `role` says what the account is for. */
  readonly accounts: readonly (InstructionAccount<A> & { readonly role: string })[];
  readonly data: InstructionFields;
}

/** The instructions of which our transactions are made. */
export type OwnInstruction = Extract<
  InstructionFields['type'],
  `system.${string}` | `stake.${string}` | 'memo'
>;
