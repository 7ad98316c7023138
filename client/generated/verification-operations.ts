// What the operations under "Verification" take and give.
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { Meta } from './shared-types.ts';

/** Part of an answer: shown instruction. */
export interface ShownInstruction {
  /** The program's name, or its address when it is not a known one. */
  readonly program: string;
  readonly programId: string;
  /** The instruction's name, or `unknown`. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly accounts: readonly ShownAccount[];
}

/** Part of an answer: shown account. */
export interface ShownAccount {
  /** Null where the address lives in a lookup table. */
  readonly address: string | null;
  readonly role: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** Part of an answer: field verdict. */
export interface FieldVerdict {
  readonly field:
    | 'feePayer'
    | 'instructions'
    | 'signers'
    | 'stakeAccount'
    | 'stakeAuthority'
    | 'withdrawAuthority'
    | 'lockup'
    | 'validator'
    | 'fundedBy'
    | 'recipient'
    | 'amount'
    | 'memo'
    | 'priorityFee';
  readonly ok: boolean;
  /** Expected value; null where nothing was claimed. */
  readonly expected: string | null;
  /** Value in the bytes; null where there is none. */
  readonly found: string | null;
  /** The problem; null when there is none. */
  readonly problem: string | null;
}

/** What `GET /api/v1/verify/links` takes. */
export type VerificationLinksInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/verify/links` answers. */
export interface VerificationLinksAnswer {
  /** Stakewiz. */
  readonly stakewiz: string;
  /** validators.app, searched by vote account. */
  readonly validatorsApp: string;
  /** Solana Beach. */
  readonly solanaBeach: string;
  /** Solscan. */
  readonly solscan: string;
  /** JPool. */
  readonly jpool: string;
  /** Solana Compass. */
  readonly solanaCompass: string;
  readonly additionalDashboards: {
    /** What the JitoSOL stake steward decided about the validator. */
    readonly stakeStewardHistory: string;
    /** The validator's record by epoch, in Jito StakeNet. */
    readonly epochHistory: string;
  };
  readonly onChainVerification: {
    readonly description: string;
    /** For a shell with the Solana CLI or curl. */
    readonly commands: readonly string[];
  };
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `GET /api/v1/verify/code` takes. */
export type CodeIntegrityInput = Readonly<Record<never, never>>;

/** What `GET /api/v1/verify/code` answers. */
export interface CodeIntegrityAnswer {
  /** The commit that runs; null where nothing proves one. */
  readonly gitCommit: string | null;
  /** The loaded sources differ from that commit; null where unknown. */
  readonly dirty: boolean | null;
  readonly sourceHashes: {
    readonly description: string;
    /** SHA-256 in hex by file name. */
    readonly files: Readonly<Record<string, string>>;
  };
  /** By file name: the file on disk differs from what was loaded. */
  readonly changedOnDisk: Readonly<Record<string, boolean>>;
  /**
   * Over every file of src/ at the start: what `find src -type f | LC_ALL=C sort | xargs sha256sum |
   * sha256sum` prints.
   */
  readonly treeSha256: string;
  /** Of package-lock.json, which fixes every dependency; null where it is absent. */
  readonly lockfileSha256: string | null;
  readonly sourceCode: {
    readonly description: string;
    /** URL of the source by file name. */
    readonly files: Readonly<Record<string, string>>;
  };
  /** Published names that this version does not include. */
  readonly notInThisVersion: readonly string[];
  /** Client and command line that this service hands out, for `npm i <url>`. */
  readonly packages: ReadonlyArray<{
    readonly file: string;
    readonly url: string;
    readonly sha256: string;
  }>;
  /** Where the operator publishes the code; null where not given. */
  readonly openSource: string | null;
  readonly verificationSteps: readonly string[];
  /**
   * What every transaction built here is bound to. Remember it at the first use and refuse a change until
   * the operator announced it elsewhere.
   */
  readonly identity: {
    /** Names the cluster. */
    readonly genesisHash: string;
    /** The only validator that is delegated to. */
    readonly voteAccount: string;
    readonly donationAddress: string;
    /** The exact memo of every transaction. */
    readonly memo: string;
  };
  readonly memoProgram: {
    readonly programId: string;
    readonly expectedMemo: string;
    readonly description: string;
  };
  readonly _meta: Meta;
}

/** What `GET /api/v1/verify/source/{filename}` takes. */
export interface SourceFileInput {
  /** A published file, by bare name. */
  readonly filename:
    | 'transaction.ts'
    | 'mcp-server.ts'
    | 'solana.ts'
    | 'stake-routes.ts'
    | 'discovery-routes.ts'
    | 'autopilot.ts'
    | 'stake-verifier.ts';
}

/** What `GET /api/v1/verify/source/{filename}` answers. */
export interface SourceFileAnswer {
  /** The answer, byte for byte. */
  readonly source: string;
  /** From the header X-SHA256. */
  readonly sha256: string;
}

/** What `GET /api/v1/verify/transaction/{signature}` takes. */
export interface VerifyTransactionInput {
  /** The transaction. */
  readonly signature: string;
}

/** What `GET /api/v1/verify/transaction/{signature}` answers. */
export interface VerifyTransactionAnswer {
  readonly signature: string;
  /** It succeeded and carries exactly the expected memo. */
  readonly verified: boolean;
  /** What verified proves, and nothing beyond it. */
  readonly proves: 'memo-present';
  readonly succeeded: boolean;
  /** The expected memo where it is there, else the first memo; null without any. */
  readonly memo: string | null;
  readonly expectedMemo: string;
  /** The program that took that memo. */
  readonly memoProgram: string | null;
  readonly checks: {
    /** It delegates to the validator of this service; null where it delegates nothing. */
    readonly delegatesToValidator: boolean | null;
    /**
     * Every authority that it sets or uses, and everybody who pays, is its fee payer; null where it is no
     * stake, unstake, withdrawal or donation.
     */
    readonly authoritiesAreFeePayer: boolean | null;
    /**
     * It holds nothing beside the instructions of one stake, unstake, withdrawal or donation but
     * ComputeBudget and known wallet guards.
     */
    readonly noOtherInstructions: boolean;
  };
  /** This service sent it. */
  readonly recordedHere: boolean;
  /** Slot in which it landed. */
  readonly slot: number;
  /** Time by the cluster’s estimate; null where the node has none. ISO 8601. */
  readonly blockTime: string | null;
  readonly confirmationStatus: 'confirmed' | 'finalized';
  /** The chain's error when it failed, else null. */
  readonly error: unknown;
  /** Every top-level instruction, decoded from the bytes. */
  readonly instructions: readonly ShownInstruction[];
  readonly explorerUrl: string;
  readonly warnings: readonly string[];
  readonly _meta: Meta;
}

/** What `POST /api/v1/verify/stake-transaction` takes. */
export interface VerifyStakeTransactionInput {
  /** The transaction in base64, with or without signatures. */
  readonly transaction: string;
  /** The wallet that is to sign, and for which alone the transaction may act. */
  readonly walletAddress: string;
  /** The amount it is meant to move; not checked where absent. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /** The stake account it is meant for; not checked where absent. */
  readonly stakeAccountAddress?: string | undefined;
}

/** What `POST /api/v1/verify/stake-transaction` answers. */
export interface VerifyStakeTransactionAnswer {
  /** Every check passed: it does this one thing for the wallet, and nothing else. */
  readonly ok: boolean;
  readonly kind: 'stake' | 'unstake' | 'withdraw' | 'restake' | 'donate' | 'rearrange' | 'other';
  /** The result in one sentence. */
  readonly message: string;
  /** The fee payer that the bytes name. */
  readonly walletAddress: string;
  readonly stakeAccountAddress: string | null;
  /** Whom a stake is delegated to; null for other kinds. */
  readonly voteAccount: string | null;
  /** Where a withdrawal or donation goes. */
  readonly recipientAddress: string | null;
  /** What it moves; null for an unstake. */
  readonly amountSol: number | null;
  /** What the network charges, priority fee included. */
  readonly networkFeeSol: number;
  /** It carries this service's memo, which anybody can write. */
  readonly hasMemo: boolean;
  readonly fields: readonly FieldVerdict[];
  /**
   * Instructions beside ours. `unknown` ones make ok false; so do wallet guards until the wallet has
   * signed, for only a wallet adds them.
   */
  readonly extraInstructions: ReadonlyArray<{
    readonly program: string;
    /** As its program calls it, or `unknown`. */
    readonly name: string;
    /** What it does, in one sentence. */
    readonly summary: string;
    readonly known: 'compute-budget' | 'wallet-guard' | 'unknown';
  }>;
  /** Required signers in order. They do not change ok, which is about what the bytes do. */
  readonly signatures: ReadonlyArray<{
    readonly address: string;
    readonly state: 'valid' | 'missing' | 'invalid';
  }>;
  /** Every top-level instruction, decoded from the bytes. */
  readonly instructions: readonly ShownInstruction[];
  readonly _meta: Meta;
}
