// Tools that move SOL: one-shot tools with a secret key, builders without a key, and submit.

import { planStakeChange } from '../operations/plan/plan-stake-change.ts';
import { createRestakeTransaction } from '../operations/stake/create-restake-transaction.ts';
import { createStakeTransaction } from '../operations/stake/create-stake-transaction.ts';
import { createUnstakeTransaction } from '../operations/stake/create-unstake-transaction.ts';
import { createWithdrawTransaction } from '../operations/stake/create-withdraw-transaction.ts';
import { donate } from '../operations/stake/donate.ts';
import { stake } from '../operations/stake/stake.ts';
import { unstake } from '../operations/stake/unstake.ts';
import { withdraw } from '../operations/stake/withdraw.ts';
import { submitTransaction } from '../operations/transaction/submit-transaction.ts';
import { ACTS, type McpTool, READS } from './tool.ts';

const KEY_IS_SEEN =
  'The language model, its provider and every store of this conversation see secretKey: use a wallet with only what you can afford to lose.';

const SIGN_AND_SUBMIT =
  'Sends nothing. Sign within a minute, then call submit_transaction with the same idempotencyKey';

const SIGN_LOCALLY = `${SIGN_AND_SUBMIT}; or give the user signUrl, then call verify_transaction with that key.`;

export const oneShotTools: readonly McpTool[] = [
  {
    name: 'stake',
    title: 'Stake SOL with a secret key',
    description: `Stakes SOL in one call: creates a stake account, delegates it to the validator, and waits until the cluster has confirmed it. Spends amountSol and a fee from walletAddress. ${KEY_IS_SEEN} Prefer create_stake_transaction and submit_transaction, which never need a secret key. If unsure whether it went through, repeat the call with the same idempotencyKey: each idempotency key creates at most one stake account.`,
    operation: stake,
    annotations: ACTS,
    carriesSecretKey: true,
  },
  {
    name: 'unstake',
    title: 'Unstake with a secret key',
    description: `Deactivates one stake account (address from check_stake_accounts), or amountSol out of all accounts, and waits until the cluster has confirmed it. It still earns this epoch's reward. ${KEY_IS_SEEN} Prefer create_unstake_transaction and submit_transaction, which never need a secret key. Pass an idempotencyKey with amountSol; without one, a repeated call takes the amount again.`,
    operation: unstake,
    annotations: ACTS,
    carriesSecretKey: true,
  },
  {
    name: 'withdraw',
    title: 'Withdraw with a secret key',
    description: `Returns SOL from a deactivated stake account to the wallet and waits until the cluster has confirmed it. Without amountSol it takes everything and closes the account; all: true does so for every inactive account. Call check_withdraw_ready first. ${KEY_IS_SEEN} Prefer withdraw_stake and submit_transaction, which never need a secret key. Pass an idempotencyKey; without one, a repeated call withdraws the part again.`,
    operation: withdraw,
    annotations: ACTS,
    carriesSecretKey: true,
  },
];

/** Builders and the submit tool, which take no secret key. */
export const transactionTools: readonly McpTool[] = [
  {
    name: 'create_stake_transaction',
    title: 'Build an unsigned stake transaction',
    description: `The way to stake. Builds a transaction that creates a stake account under the wallet's own authority and delegates amountSol (rent included) to the validator; or, with stakeAccountAddress instead of amountSol, one that delegates that inactive account again with its whole balance. ${SIGN_LOCALLY} No signUrl with stakeAuthority or owner. check_balance shows what can be staked, simulate_stake what it would earn. Solana has no slashing (as of November 2026).`,
    operation: createStakeTransaction,
    instead: { member: 'stakeAccountAddress', operation: createRestakeTransaction },
    annotations: READS,
  },
  {
    name: 'create_unstake_transaction',
    title: 'Build an unsigned unstake transaction',
    description: `The way to unstake. Builds a transaction that deactivates one stake account (address from check_stake_accounts); or, with amountSol, one that takes exactly that amount from the wallet's accounts (want withdrawAmount: the SOL that arrives). ${SIGN_LOCALLY} Next: check_withdraw_ready.`,
    operation: createUnstakeTransaction,
    annotations: READS,
  },
  {
    name: 'withdraw_stake',
    title: 'Build an unsigned withdraw transaction',
    description: `The way to withdraw. Builds a transaction that returns SOL from a stake account to the wallet. Without amountSol it takes everything and closes the account; all: true does so for every inactive account. Call check_withdraw_ready first. ${SIGN_LOCALLY}`,
    operation: createWithdrawTransaction,
    annotations: READS,
  },
  {
    name: 'plan_stake_change',
    title: 'Plan a change of stake',
    description: `Plans a change of stake across all accounts of a wallet and builds the unsigned transactions: unstake or withdraw an exact amount, undo an unstake of this epoch, restake, top-up, tidy (merge), sweep idle SOL, migrate from other validators, rescue (take back the stake authority), withdraw-all. Show the user the plan (accounts, SOL over time, cost) before anything is signed. If feasible is false, refusal has the reason and the nearest amounts. ${SIGN_LOCALLY} Submit several in order.`,
    operation: planStakeChange,
    annotations: READS,
  },
  {
    name: 'donate',
    title: 'Build an unsigned donation',
    description: `Builds a transfer to the donation address of this service; always voluntary; use it only at the user's request. ${SIGN_AND_SUBMIT}. No signUrl.`,
    operation: donate,
    annotations: READS,
  },
  {
    name: 'submit_transaction',
    title: 'Submit a signed transaction',
    description:
      'Sends a transaction signed on your side and waits until the cluster has confirmed it or it can never land. This step spends SOL: first show the user what was built. Pass those of a plan in order as signedTransactions; an error says which landed. Submitting the same bytes again never spends twice. On BLOCKHASH_EXPIRED nothing happened: build and sign again. On SUBMISSION_UNRESOLVED repeat this exact call. Afterwards call verify_transaction with the signature, and check_stake_accounts.',
    operation: submitTransaction,
    annotations: { ...ACTS, idempotentHint: true },
  },
];
