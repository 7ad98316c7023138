// Every change of the tables, oldest first. Append only: what a released version applied is never edited, renamed or removed.
import type { Migration } from '../engine/migrate.ts';
import { intents } from './0001-intents.ts';
import { intentsBySignature } from './0002-intents-by-signature.ts';
import { transactions } from './0003-transactions.ts';
import { samples } from './0004-samples.ts';
import { webhooks } from './0005-webhooks.ts';
import { watchedAccounts } from './0006-watched-accounts.ts';
import { policies } from './0007-policies.ts';
import { settledRewards } from './0008-settled-rewards.ts';
import { transactionMemos } from './0009-transaction-memos.ts';
import { webhookAnswers } from './0010-webhook-answers.ts';
import { transactionLegs } from './0011-transaction-legs.ts';
import { delegatorBook } from './0013-delegator-book.ts';

/** What a store of this version has gone through. */
export const migrations: readonly Migration[] = [
  intents,
  intentsBySignature,
  transactions,
  samples,
  webhooks,
  watchedAccounts,
  policies,
  settledRewards,
  transactionMemos,
  webhookAnswers,
  transactionLegs,
  delegatorBook,
];
