// Judges, on this machine and by the verifier alone, whether bytes from the service do exactly what was asked: before anything is signed.
import type { Address } from '@solana/kit';
import { solToLamports } from '../client/sol-amount.ts';
import { type Verdict, verifyTransactionBytes } from '../client/verifier.ts';
import { isAppError } from '../src/kernel/app-error.ts';
import { NotAsAsked } from './not-signed.ts';
import type { Wish } from './wish.ts';

const DO_NOT_SIGN =
  'The service built something else than was asked. Nothing was signed. Do not sign it elsewhere.';

/** The verdict on `transaction` for this wallet and validator. The memo is whatever stands there: it protects nobody, it names the service. */
export const judgeBytes = (
  transaction: string,
  expected: {
    readonly walletAddress: string;
    readonly voteAccount: string;
    readonly stakeAccount?: string | undefined;
    readonly lamports?: bigint | undefined;
    readonly maxPriorityFeeLamports?: bigint | undefined;
    /** What the wallet has signed may hold guards that it added. Default false. */
    readonly allowWalletGuards?: boolean | undefined;
  },
): Verdict => {
  const wanted = {
    wallet: expected.walletAddress as Address,
    voteAccount: expected.voteAccount as Address,
    ...(expected.stakeAccount === undefined ? {} : { stakeAccount: expected.stakeAccount as Address }),
    ...(expected.lamports === undefined ? {} : { lamports: expected.lamports }),
    allowWalletGuards: expected.allowWalletGuards ?? false,
    ...(expected.maxPriorityFeeLamports === undefined
      ? {}
      : { maxPriorityFeeLamports: expected.maxPriorityFeeLamports }),
  };
  const first = verifyTransactionBytes(transaction, { ...wanted, memo: '' });
  const memo = first.fields.find(({ field }) => field === 'memo')?.found ?? '';
  return verifyTransactionBytes(transaction, { ...wanted, memo });
};

/** The verdict, where it is what was asked. Throws `NotAsAsked`. `stakeAccount` pins the account of a stake that is built again. */
export const verifyBuilt = (
  transaction: string,
  wish: Wish,
  { voteAccount, stakeAccount }: { voteAccount: string; stakeAccount: string | undefined },
): Verdict => {
  const amountSol = wish.kind === 'unstake' ? undefined : wish.amountSol;
  let verdict: Verdict;
  try {
    verdict = judgeBytes(transaction, {
      walletAddress: wish.walletAddress,
      voteAccount,
      stakeAccount: wish.kind === 'stake' ? stakeAccount : wish.stakeAccountAddress,
      lamports: amountSol === undefined ? undefined : solToLamports(amountSol),
      // A wallet may add one for itself. In bytes that come straight from the service it would go to whoever leads: to that very validator.
      maxPriorityFeeLamports: 0n,
    });
  } catch (error) {
    if (isAppError(error)) throw new NotAsAsked(DO_NOT_SIGN);
    throw error;
  }
  if (!verdict.ok || verdict.recognised.kind !== wish.kind) throw new NotAsAsked(DO_NOT_SIGN, verdict.fields);
  return verdict;
};
