// CPU time of building an unsigned stake: the service compared with the minimum work and with kit, interleaved
// in one run.
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getDelegateStakeInstruction,
  getInitializeInstruction,
  STAKE_PROGRAM_ADDRESS,
} from '@solana-program/stake';
import { getCreateAccountInstruction } from '@solana-program/system';
import { deriveStakeKey } from '../src/chain/transactions/derive-stake-key.ts';
import { buildTransaction, encodeWire } from '../src/chain/transactions/transaction.ts';
import { toBase64 } from '../src/chain/transactions/wire-base64.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../src/domain/instruction-programs.ts';
import { type BenchRow, median } from './benchmark-row.ts';
import { benchStake, stakeFloor } from './minimum-stake-work.ts';

/** Length of the measurement. Default: 15 rounds of 200 builds per contestant. */
interface BuildStakeOptions {
  readonly rounds?: number;
  readonly buildsPerRound?: number;
}

const { wallet, voteAccount, genesisHash, blockhash, memo, lamports } = benchStake;
const serverSecret = new Uint8Array(32).fill(7);

let built = 0;

/**
 * Builds the stake as the operation does: derives the key from the request, takes the message from the
 * template, signs and encodes it.
 */
const build = () => {
  built += 1;
  using key = deriveStakeKey(serverSecret, genesisHash, {
    use: 'builder',
    wallet,
    idempotencyKey: `bench-${built}`,
  });
  const transaction = buildTransaction.stake({
    wallet,
    stakeAccount: key.address,
    voteAccount,
    lamports,
    memo,
    blockhash,
  });
  const signatures = new Map([[key.address, key.sign(transaction.messageBytes)]]);
  return { transaction, base64: toBase64(encodeWire(transaction, signatures)) };
};

const service = (): string => build().base64;

/**
 * Builds the stake as the service does, including the decoded instructions that the response contains along
 * with the transaction.
 */
const serviceWithSummary = (): string => {
  const { transaction, base64 } = build();
  return (
    base64 + JSON.stringify(transaction.instructions.map(({ summary, accounts }) => [summary, accounts]))
  );
};

/** Builds the stake as kit's documentation shows. */
const kit = async (): Promise<string> => {
  const payer = createNoopSigner(wallet);
  const stakeAccount = await generateKeyPairSigner();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as string as Blockhash, lastValidBlockHeight: 0n },
        paid,
      ),
    (timed) =>
      appendTransactionMessageInstructions(
        [
          getCreateAccountInstruction({
            payer,
            newAccount: stakeAccount,
            lamports,
            space: 200n,
            programAddress: STAKE_PROGRAM_ADDRESS,
          }),
          getInitializeInstruction({
            stake: stakeAccount.address,
            arg0: { staker: wallet, withdrawer: wallet },
            arg1: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
          }),
          getDelegateStakeInstruction({
            stake: stakeAccount.address,
            vote: voteAccount,
            stakeAuthority: payer,
          }),
          getAddMemoInstruction({ memo }, { programAddress: MEMO_PROGRAM }),
        ],
        timed,
      ),
  );
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message));
};

const contestants = { service, serviceWithSummary, floor: stakeFloor, kit } as const;
type Name = keyof typeof contestants;

const cpuPerBuild = async (build: () => string | Promise<string>, builds: number): Promise<number> => {
  const before = process.cpuUsage();
  for (let i = 0; i < builds; i += 1) await build();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / builds;
};

/** Measures all contestants, reversing their order every round, and compares the medians. */
export const benchBuildStake = async ({
  rounds = 15,
  buildsPerRound = 200,
}: BuildStakeOptions = {}): Promise<readonly BenchRow[]> => {
  const names = Object.keys(contestants) as Name[];
  const samples: Record<Name, number[]> = { service: [], serviceWithSummary: [], floor: [], kit: [] };
  for (const name of names) await cpuPerBuild(contestants[name], buildsPerRound);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed())
      samples[name].push(await cpuPerBuild(contestants[name], buildsPerRound));
  }
  const row = (
    path: string,
    name: Name,
    control: string,
    against: Name,
    goal: string,
    most: number,
  ): BenchRow => {
    const [value, controlValue] = [median(samples[name]), median(samples[against])];
    return { path, control, value, controlValue, unit: 'µs CPU', goal, met: value / controlValue <= most };
  };
  return [
    row('unsigned stake build, CPU', 'service', 'keygen + sign + patch + base64', 'floor', '≤ 2×', 2),
    row('unsigned stake build, CPU', 'service', 'kit', 'kit', '≤ 1/3', 1 / 3),
    row(
      'unsigned stake build with decoded summary, CPU',
      'serviceWithSummary',
      'keygen + sign + patch + base64',
      'floor',
      'none',
      Number.POSITIVE_INFINITY,
    ),
  ];
};
