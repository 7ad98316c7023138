// Methods and calls of the operations under "Verification".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  CodeIntegrityAnswer,
  CodeIntegrityInput,
  SourceFileAnswer,
  SourceFileInput,
  VerificationLinksAnswer,
  VerificationLinksInput,
  VerifyStakeTransactionAnswer,
  VerifyStakeTransactionInput,
  VerifyTransactionAnswer,
  VerifyTransactionInput,
} from './verification-operations.ts';

/** Methods of verification operations. */
export interface VerificationMethods {
  /**
   * Independent sources on the validator: `GET /api/v1/verify/links`
   *
   * Third-party dashboards about the validator of this service, and commands that query the chain directly.
   * The dashboards cover only mainnet-beta; on other clusters, a warning says so.
   */
  readonly verificationLinks: (
    input?: VerificationLinksInput,
    options?: CallOptions,
  ) => Promise<VerificationLinksAnswer>;
  /**
   * Running code: `GET /api/v1/verify/code`
   *
   * Commit and SHA-256 hashes of the code that this process loaded when it started, and where to read it.
   * Self-reported: a dishonest service could return the same. The proof is to check each transaction before
   * signing it, with the stand-alone verifier on your own machine.
   */
  readonly codeIntegrity: (input?: CodeIntegrityInput, options?: CallOptions) => Promise<CodeIntegrityAnswer>;
  /**
   * Source of a file that this service is running: `GET /api/v1/verify/source/{filename}`
   *
   * Source of one published file as loaded at startup, with its SHA-256 in the header X-SHA256. Returns 404
   * for names that are not published or not part of this version.
   */
  readonly sourceFile: (input: SourceFileInput, options?: CallOptions) => Promise<SourceFileAnswer>;
  /**
   * Check a landed transaction for this service's memo: `GET /api/v1/verify/transaction/{signature}`
   *
   * Reads a transaction from the chain. verified means that it succeeded and that one of its top-level
   * instructions passes exactly this service's memo to a memo program. This proves only the presence of the
   * memo: anyone can write this memo into a transaction. checks describes the effects of the transaction,
   * and `recordedHere` is true if this service sent it.
   */
  readonly verifyTransaction: (
    input: VerifyTransactionInput,
    options?: CallOptions,
  ) => Promise<VerifyTransactionAnswer>;
  /**
   * Check a transaction before signing it: `POST /api/v1/verify/stake-transaction`
   *
   * Decodes a stake, unstake, withdraw or donation transaction, signed or not, and checks field by field
   * that it does only that, for this wallet: authorities, validator, amount, fee payer, and no additional
   * instructions except ComputeBudget and, once the wallet has signed, known wallet guards that only
   * assert; all of them are listed. For a transaction that does anything else, returns ok false, not an
   * error. Nothing is sent to or read from the chain. If you do not want to trust this service, run the
   * same check on your own machine: scripts/verify-transaction.ts.
   */
  readonly verifyStakeTransaction: (
    input: VerifyStakeTransactionInput,
    options?: CallOptions,
  ) => Promise<VerifyStakeTransactionAnswer>;
}

/** How each of them is called. */
export const verificationOperations = {
  verificationLinks: { method: 'GET', path: '/api/v1/verify/links', effect: 'read', query: [], body: [] },
  codeIntegrity: { method: 'GET', path: '/api/v1/verify/code', effect: 'read', query: [], body: [] },
  sourceFile: {
    method: 'GET',
    path: '/api/v1/verify/source/{filename}',
    effect: 'read',
    query: [],
    body: [],
    text: { member: 'source', headers: { 'X-SHA256': 'sha256' } },
  },
  verifyTransaction: {
    method: 'GET',
    path: '/api/v1/verify/transaction/{signature}',
    effect: 'read',
    query: [],
    body: [],
  },
  verifyStakeTransaction: {
    method: 'POST',
    path: '/api/v1/verify/stake-transaction',
    effect: 'read',
    query: [],
    body: ['transaction', 'walletAddress', 'amountSol', 'stakeAccountAddress', 'feePayer'],
  },
} as const satisfies OperationTable;
