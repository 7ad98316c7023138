// Drives the submitter itself. Signs transfers and stakes to new addresses here and passes them to `submit`.
import { address, createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getDelegateStakeInstruction, getInitializeInstruction } from '@solana-program/stake';
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system';
import { createClusterState } from '../../src/chain/cluster/cluster-state.ts';
import type { RecentBlockhash, Submission } from '../../src/chain/ports.ts';
import { createRpcPool } from '../../src/chain/rpc/rpc-pool.ts';
import { createSolanaReads } from '../../src/chain/solana.ts';
import { createSubmitter } from '../../src/chain/submission/submissions-in-flight.ts';
import { isAppError } from '../../src/kernel/app-error.ts';
import { systemClock as clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { type AnyInstruction, signSubmission } from '../support/signed-submission.ts';
import type { Attempt, StartDriver } from './submission-driver.ts';

const SOL = 1_000_000_000n;
const WALLET_LAMPORTS = 500_000n * SOL;
const STAKE_BYTES = 200n;
const STAKE_PROGRAM = address('Stake11111111111111111111111111111111111111');
const NOBODY = address('11111111111111111111111111111111');

const stakeInstructions = (
  payer: KeyPairSigner,
  stake: KeyPairSigner,
  lamports: bigint,
  vote: string,
): readonly AnyInstruction[] => [
  getCreateAccountInstruction({
    payer,
    newAccount: stake,
    lamports,
    space: STAKE_BYTES,
    programAddress: STAKE_PROGRAM,
  }),
  getInitializeInstruction({
    stake: stake.address,
    arg0: { staker: payer.address, withdrawer: payer.address },
    arg1: { unixTimestamp: 0n, epoch: 0n, custodian: NOBODY },
  }),
  getDelegateStakeInstruction({
    stake: stake.address,
    vote: address(vote),
    stakeAuthority: payer,
  }),
];

/** Every fifth attempt lacks the funds, so refusals occur. Every third of the others is a stake. */
export const startSubmitterDriver: StartDriver = async (place, signal) => {
  const { sandbox } = place;
  const logger = createLogger('silent');
  const pool = createRpcPool({ urls: place.rpcUrls, timeoutMs: 1_500, maxConcurrent: 32, clock, logger });
  const reads = createSolanaReads(pool);
  const cluster = await createClusterState({ pool, reads, clock, logger, signal });
  const submitter = createSubmitter({
    pool,
    wsUrls: place.wsUrls,
    clock,
    logger,
    absenceMs: place.absenceMs,
  });
  const [wallet, pauper] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await sandbox.airdrop(wallet.address, WALLET_LAMPORTS, signal);
  await sandbox.airdrop(pauper.address, SOL, signal);
  const submissions = new Map<string, Submission>();
  const direct = createSolanaRpc(sandbox.rpcUrl);

  const prepare = async (index: number, recent: RecentBlockhash) => {
    const target = await generateKeyPairSigner();
    const lamports = 2n * SOL + BigInt(index);
    const payer = index % 5 === 4 ? pauper : wallet;
    const instructions =
      index % 3 === 2
        ? stakeInstructions(payer, target, lamports, sandbox.voteAccount)
        : [getTransferSolInstruction({ source: payer, destination: target.address, amount: lamports })];
    return {
      submission: await signSubmission(payer, recent, instructions),
      effect: { address: target.address, lamports },
    };
  };

  return {
    attempt: async (index, attemptSignal): Promise<Attempt> => {
      let recent: RecentBlockhash;
      try {
        recent = await cluster.blockhash(attemptSignal);
      } catch (error) {
        if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return { ending: 'not-sent' };
        throw error;
      }
      const { submission, effect } = await prepare(index, recent);
      const { signature } = submission;
      submissions.set(signature, submission);
      try {
        const { kind } = await submitter.submit(submission, attemptSignal);
        if (kind !== 'expired') return { ending: kind, signature, effect };
        const { lastValidBlockHeight } = submission;
        const finalizedHeight = await direct.getBlockHeight({ commitment: 'finalized' }).send();
        return { ending: kind, signature, effect, expiry: { lastValidBlockHeight, finalizedHeight } };
      } catch (error) {
        if (isAppError(error, 'UPSTREAM_UNAVAILABLE')) return { ending: 'not-sent', signature, effect };
        throw error;
      }
    },
    settle: async (attempt, settleSignal) => {
      const outcome = await submitter.settle(submissions.get(attempt.signature!)!, settleSignal);
      return outcome === null || outcome.kind === 'unresolved' ? null : outcome.kind;
    },
    close: async () => {
      submitter.close();
      cluster.close();
      await pool.close();
    },
  };
};
