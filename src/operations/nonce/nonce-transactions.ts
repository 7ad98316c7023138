// Builds unsigned transactions that create, advance and close a nonce account of a wallet.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { buildNonceTransaction, type NonceChange } from '../../chain/transactions/transaction.ts';
import { solFigure } from '../../domain/lamports.ts';
import { NONCE_SEEDS, nonceRentLamports } from '../../domain/nonce-account.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { versionOf } from '../act/build-options.ts';
import { checkPayer } from '../act/check-payer-balance.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';
import { type BuildFacts, readBuildFacts } from '../act/read-build-facts.ts';
import { requireUsableNonce } from '../act/require-usable-nonce.ts';
import { unsignedResponse, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import type { Context } from '../context.ts';
import { type Call, defineOperation } from '../operation.ts';
import { addressSchema, idempotencyKeySchema, transactionVersionSchema } from '../shared-schemas.ts';
import { readNonceSlots } from './nonce-accounts.ts';

const shared = {
  walletAddress: addressSchema('The wallet that pays the fee and controls the nonce account.'),
  transactionVersion: transactionVersionSchema,
  idempotencyKey: idempotencyKeySchema,
};
const ofAccount = {
  ...shared,
  nonceAccountAddress: addressSchema('A nonce account that the wallet controls.'),
};
const output = unsignedTransactionSchema.extend({
  nonceAccountAddress: z.string().meta({ description: 'The account that is created, advanced or closed.' }),
});
type Input = z.output<z.ZodObject<typeof shared>>;

const buildErrors = ['INSUFFICIENT_BALANCE', 'WALLET_CANNOT_PAY', 'UPSTREAM_UNAVAILABLE'] as const;

const response = async (
  { ctx, input, signal }: { readonly ctx: Context; readonly input: Input; readonly signal: AbortSignal },
  nonceAccountAddress: Address,
  changeOf: (facts: BuildFacts) => { readonly change: NonceChange; readonly message: Sentence },
) => {
  const { walletAddress: wallet, transactionVersion, idempotencyKey } = input;
  const facts = await readBuildFacts(ctx, [wallet], signal);
  const { change, message } = changeOf(facts);
  const { memo } = ctx.service.settings;
  const { blockhash } = facts.blockhash;
  const built = buildNonceTransaction(
    { wallet, memo, blockhash, version: versionOf(ctx, { transactionVersion }) },
    nonceAccountAddress,
    change,
  );
  checkPayer({
    wallet,
    account: facts.accounts![0] ?? null,
    spendLamports: change.type === 'create' ? change.lamports : 0n,
    incomeLamports: change.type === 'close' ? change.lamports : 0n,
    feeLamports: built.networkFeeLamports,
    reserveLamports: 0n,
    walletRentLamports: facts.limits.walletRentLamports,
  });
  const { key } = idempotencyKeyFor(idempotencyKey);
  return unsignedResponse(ctx, built, facts, {
    message,
    idempotencyKey: key,
    notices: [],
    members: { nonceAccountAddress },
  });
};

/** `POST /api/v1/nonce/create/transaction` */
export const createNonceTransaction = defineOperation({
  name: 'createNonceTransaction',
  summary: 'Build a transaction that creates a nonce account',
  description: `Builds a transaction that creates a nonce account which only the wallet can use, advance and close. Its rent comes back when it is closed. The wallet signs alone: the address is derived from it. At most ${NONCE_SEEDS.length} per wallet. Sign it with the wallet and submit it.`,
  effect: 'build',
  input: z.object(shared),
  output,
  errors: ['NONCE_LIMIT', ...buildErrors],
  async run(call) {
    const { ctx, input, signal } = call;
    const { walletAddress } = input;
    const slots = await readNonceSlots(ctx, walletAddress, signal);
    const free = slots.find(({ lamports }) => lamports === 0n);
    if (free === undefined) throw noneFree(walletAddress);
    return response(call, free.address, ({ limits }) => {
      const lamports = nonceRentLamports(limits);
      return {
        change: { type: 'create', seed: free.seed, lamports },
        message: sentence(
          'CREATES_NONCE',
          'Creates the nonce account {nonceAccount} with {rentSol} SOL of rent, which comes back when it is closed. Sign it with {walletAddress} and submit it.',
          { nonceAccount: free.address, rentSol: solFigure(lamports), walletAddress },
        ),
      };
    });
  },
});

const noneFree = (walletAddress: Address): AppError =>
  new AppError('NONCE_LIMIT', 'All {most} addresses for nonce accounts of this wallet are in use.', {
    params: { most: NONCE_SEEDS.length, walletAddress },
    suggestedAction: guidance`Use one of them, or close one with ${step('closeNonceTransaction')}.`,
  });

const onAccount = async (
  call: Call<Input & { readonly nonceAccountAddress: Address }>,
  changeOf: (lamports: bigint) => NonceChange,
  message: Sentence,
) => {
  const { ctx, input, signal } = call;
  const { walletAddress, nonceAccountAddress } = input;
  const { lamports } = await requireUsableNonce(ctx, walletAddress, nonceAccountAddress, signal);
  return response(call, nonceAccountAddress, () => ({ change: changeOf(lamports), message }));
};

/** `POST /api/v1/nonce/advance/transaction` */
export const advanceNonceTransaction = defineOperation({
  name: 'advanceNonceTransaction',
  summary: 'Build a transaction that advances a nonce account',
  description:
    'Builds a transaction that advances the nonce account to a new value. This cancels every transaction signed with the old value, which can then never land. Sign it with the wallet and submit it.',
  effect: 'build',
  input: z.object(ofAccount),
  output,
  errors: ['NONCE_UNUSABLE', ...buildErrors],
  run: (call) =>
    onAccount(
      call,
      () => ({ type: 'advance' }),
      sentence(
        'ADVANCES_NONCE',
        'Advances the nonce account {nonceAccount}, so that transactions signed with its current value can never land. Sign it with {walletAddress} and submit it.',
        { nonceAccount: call.input.nonceAccountAddress, walletAddress: call.input.walletAddress },
      ),
    ),
});

/** `POST /api/v1/nonce/close/transaction` */
export const closeNonceTransaction = defineOperation({
  name: 'closeNonceTransaction',
  summary: 'Build a transaction that closes a nonce account',
  description:
    'Builds a transaction that returns everything in the nonce account to the wallet and closes the account. Transactions signed with its value can then never land. Sign it with the wallet and submit it.',
  effect: 'build',
  input: z.object(ofAccount),
  output,
  errors: ['NONCE_UNUSABLE', ...buildErrors],
  run: (call) =>
    onAccount(
      call,
      (lamports) => ({ type: 'close', lamports }),
      sentence(
        'CLOSES_NONCE',
        'Closes the nonce account {nonceAccount} and returns its rent to {walletAddress}. Sign it with the wallet and submit it.',
        { nonceAccount: call.input.nonceAccountAddress, walletAddress: call.input.walletAddress },
      ),
    ),
});
