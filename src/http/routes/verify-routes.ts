// Verification routes: the running code, a transaction's effects, and independent sources.
import { codeIntegrity } from '../../operations/verify/code-integrity.ts';
import { sourceFile } from '../../operations/verify/source-file.ts';
import { verificationLinks } from '../../operations/verify/verification-links.ts';
import { verifyStakeTransaction } from '../../operations/verify/verify-stake-transaction.ts';
import { verifyTransaction } from '../../operations/verify/verify-transaction.ts';
import type { Route } from '../pipeline/route.ts';

const CODE = '/api/v1/verify/code';
const LINKS = '/api/v1/verify/links';
const SOURCE = '/api/v1/verify/source/{filename}';
const BEFORE_SIGNING = '/api/v1/verify/stake-transaction';
const LANDED = '/api/v1/verify/transaction/{signature}';

/** Open to every page, because these responses cannot be misused. */
export const verifyRoutes: readonly Route[] = [
  {
    operation: verificationLinks,
    method: 'GET',
    path: LINKS,
    browsers: 'public',
    tag: 'Verification',
    related: { code: 'codeIntegrity', transaction: 'verifyTransaction' },
  },
  {
    operation: codeIntegrity,
    method: 'GET',
    path: CODE,
    browsers: 'public',
    tag: 'Verification',
    related: { source: 'sourceFile', beforeSigning: 'verifyStakeTransaction' },
  },
  {
    operation: sourceFile,
    method: 'GET',
    path: SOURCE,
    browsers: 'public',
    tag: 'Verification',
    plainText: { member: 'source', headers: { 'X-SHA256': 'sha256' } },
    related: { code: 'codeIntegrity' },
  },
  {
    operation: verifyTransaction,
    method: 'GET',
    path: LANDED,
    browsers: 'public',
    tag: 'Verification',
    related: { state: 'transactionState', beforeSigning: 'verifyStakeTransaction' },
  },
  {
    operation: verifyStakeTransaction,
    method: 'POST',
    path: BEFORE_SIGNING,
    browsers: 'public',
    tag: 'Verification',
    related: { submit: 'submitTransaction', code: 'codeIntegrity' },
  },
];
