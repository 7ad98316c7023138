// Inputs and answers of the operations under "Verification".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { SolAmount } from '../sol-amount.ts';
import type { Meta, Notice, Sentence } from './shared-types.ts';

/** The shown instruction in a response. */
export interface ShownInstruction {
  /** The program's name, or its address if unknown. */
  readonly program: string;
  readonly programId: string;
  /** The instruction's name, or `unknown`. */
  readonly name: string;
  /** Its effect, in one sentence. */
  readonly summary: string;
  /** The sentences of summary. */
  readonly summarySentences: readonly Sentence[];
  readonly accounts: readonly ShownAccount[];
}

/** The shown account in a response. */
export interface ShownAccount {
  /** Null if the address is in a lookup table. */
  readonly address: string | null;
  readonly role: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** The field verdict in a response. */
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
  /** Expected value; null if nothing was claimed. */
  readonly expected: string | null;
  /** Value in the bytes; null if none. */
  readonly found: string | null;
  /** The problem; null if none. */
  readonly problem: string | null;
  readonly problemSentences: readonly Sentence[];
}

/** Input of `GET /api/v1/verify/links`. */
export type VerificationLinksInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/verify/links`. */
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
    /** The JitoSOL stake steward’s decisions about the validator. */
    readonly stakeStewardHistory: string;
    /** The validator's record by epoch, in Jito StakeNet. */
    readonly epochHistory: string;
  };
  readonly onChainVerification: {
    readonly description: string;
    /** The sentences of description. */
    readonly descriptionSentences: readonly Sentence[];
    /** For a shell with the Solana CLI or curl. */
    readonly commands: readonly string[];
  };
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `GET /api/v1/verify/code`. */
export type CodeIntegrityInput = Readonly<Record<never, never>>;

/** Answer of `GET /api/v1/verify/code`. */
export interface CodeIntegrityAnswer {
  /** The running commit; null if it cannot be proven. */
  readonly gitCommit: string | null;
  /** Whether the loaded sources differ from that commit; null if unknown. */
  readonly dirty: boolean | null;
  readonly sourceHashes: {
    readonly description: string;
    /** SHA-256 in hex by file name. */
    readonly files: Readonly<Record<string, string>>;
  };
  /** By file name: whether the file on disk differs from the loaded one. */
  readonly changedOnDisk: Readonly<Record<string, boolean>>;
  /**
   * Hash over every file of src/ at startup; equals the output of `find src -type f | LC_ALL=C sort | xargs
   * sha256sum | sha256sum`.
   */
  readonly treeSha256: string;
  /** Hash of package-lock.json, which pins every dependency; null if absent. */
  readonly lockfileSha256: string | null;
  readonly sourceCode: {
    readonly description: string;
    /** URL of the source by file name. */
    readonly files: Readonly<Record<string, string>>;
  };
  /** Published names that this version does not include. */
  readonly notInThisVersion: readonly string[];
  /** Client and command line packages served by this service, for `npm i <url>`. */
  readonly packages: ReadonlyArray<{
    readonly file: string;
    readonly url: string;
    readonly sha256: string;
  }>;
  /** URL where the operator publishes the code; null if not set. */
  readonly openSource: string | null;
  readonly verificationSteps: readonly string[];
  /** The steps as data. */
  readonly verificationStepsSentences: readonly Sentence[];
  /**
   * Constants of every transaction built here. Store them on first use, and reject any change that the
   * operator has not announced elsewhere.
   */
  readonly identity: {
    /** Identifies the cluster. */
    readonly genesisHash: string;
    /** The only validator to which stake is delegated. */
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

/** Input of `GET /api/v1/verify/source/{filename}`. */
export interface SourceFileInput {
  /** Name of a published file, without a path. */
  readonly filename:
    | 'transaction.ts'
    | 'mcp-server.ts'
    | 'solana.ts'
    | 'stake-routes.ts'
    | 'discovery-routes.ts'
    | 'autopilot.ts'
    | 'stake-verifier.ts';
}

/** Answer of `GET /api/v1/verify/source/{filename}`. */
export interface SourceFileAnswer {
  /** The answer, byte for byte. */
  readonly source: string;
  /** From the header X-SHA256. */
  readonly sha256: string;
}

/** Input of `GET /api/v1/verify/transaction/{signature}`. */
export interface VerifyTransactionInput {
  /** The transaction. */
  readonly signature: string;
}

/** Answer of `GET /api/v1/verify/transaction/{signature}`. */
export interface VerifyTransactionAnswer {
  readonly signature: string;
  /** It succeeded and has exactly the expected memo. */
  readonly verified: boolean;
  /** The only thing that verified proves. */
  readonly proves: 'memo-present';
  readonly succeeded: boolean;
  /** The expected memo if present, else the first memo; null if none. */
  readonly memo: string | null;
  readonly expectedMemo: string;
  /** Program of that memo. */
  readonly memoProgram: string | null;
  readonly checks: {
    /** It delegates to the validator of this service; null if it delegates nothing. */
    readonly delegatesToValidator: boolean | null;
    /**
     * Every authority that it sets or uses, and every payer, is its fee payer; null if it is not a stake,
     * unstake, withdrawal or donation.
     */
    readonly authoritiesAreFeePayer: boolean | null;
    /**
     * It contains only the instructions of one stake, unstake, withdrawal or donation, ComputeBudget and
     * known wallet guards.
     */
    readonly noOtherInstructions: boolean;
  };
  /** This service sent it. */
  readonly recordedHere: boolean;
  /** Slot in which it landed. */
  readonly slot: number;
  /** Time estimated by the cluster; null if unknown. ISO 8601. */
  readonly blockTime: string | null;
  readonly confirmationStatus: 'confirmed' | 'finalized';
  /** The chain's error if it failed, else null. */
  readonly error: unknown;
  /** Every top-level instruction, decoded from the bytes. */
  readonly instructions: readonly ShownInstruction[];
  readonly explorerUrl: string;
  /** The texts of notices. */
  readonly warnings: readonly string[];
  /** Most severe first. Critical means: do not stake before you read it. */
  readonly notices: readonly Notice[];
  readonly _meta: Meta;
}

/** Input of `POST /api/v1/verify/stake-transaction`. */
export interface VerifyStakeTransactionInput {
  /** The transaction in base64, with or without signatures. */
  readonly transaction: string;
  /** The wallet that is to sign. The transaction may act only for this wallet. */
  readonly walletAddress: string;
  /** Expected amount. Not checked if omitted. Above 0. At most 9000000. */
  readonly amountSol?: SolAmount | undefined;
  /** Expected stake account. Not checked if omitted. */
  readonly stakeAccountAddress?: string | undefined;
  /** Expected fee payer. Default: the wallet. */
  readonly feePayer?: string | undefined;
}

/** Answer of `POST /api/v1/verify/stake-transaction`. */
export interface VerifyStakeTransactionAnswer {
  /** Every check passed: the transaction does this one thing for the wallet, and nothing else. */
  readonly ok: boolean;
  readonly kind: 'stake' | 'unstake' | 'withdraw' | 'restake' | 'donate' | 'rearrange' | 'nonce' | 'other';
  /** The result in one sentence. */
  readonly message: string;
  /** The sentences of message. */
  readonly messageSentences: readonly Sentence[];
  /** The wallet that the bytes act for. */
  readonly walletAddress: string;
  readonly stakeAccountAddress: string | null;
  /** Vote account to which a stake is delegated; null for other kinds. */
  readonly voteAccount: string | null;
  /** Recipient of a withdrawal or donation. */
  readonly recipientAddress: string | null;
  /** Amount moved; null for an unstake. */
  readonly amountSol: number | null;
  /** Network fee including the priority fee. */
  readonly networkFeeSol: number;
  /** It has this service's memo, which anyone can write. */
  readonly hasMemo: boolean;
  readonly fields: readonly FieldVerdict[];
  /**
   * Additional instructions. `unknown` ones make ok false; so do wallet guards until the wallet has signed,
   * because only a wallet adds them.
   */
  readonly extraInstructions: ReadonlyArray<{
    readonly program: string;
    /** Name in its program, or `unknown`. */
    readonly name: string;
    /** Its effect, in one sentence. */
    readonly summary: string;
    /** The sentences of summary. */
    readonly summarySentences: readonly Sentence[];
    readonly known: 'compute-budget' | 'wallet-guard' | 'unknown';
  }>;
  /** Required signers in order. They do not affect ok, which concerns only the effects of the bytes. */
  readonly signatures: ReadonlyArray<{
    readonly address: string;
    readonly state: 'valid' | 'missing' | 'invalid';
  }>;
  /** Every top-level instruction, decoded from the bytes. */
  readonly instructions: readonly ShownInstruction[];
  readonly _meta: Meta;
}
