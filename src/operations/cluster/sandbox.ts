// The sandbox's own operations: where its chain is, SOL for free, and time on demand. They exist on no real cluster.
import { z } from 'zod';
import { AppError, validationError } from '../../kernel/app-error.ts';
import type { Context, SandboxControl } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer, signatureSchema, solAmount } from '../shared-schemas.ts';

/** Owners of programs: no transfer may write to what they own. */
const LOADERS: ReadonlySet<string> = new Set([
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);

const controlOf = (ctx: Context): SandboxControl => {
  if (ctx.sandbox) return ctx.sandbox;
  throw new AppError('NOT_FOUND', 'This service runs on a real cluster; it has no sandbox.');
};

/** `GET /sandbox` */
export const describeSandbox = defineOperation({
  name: 'describeSandbox',
  summary: 'Sandbox cluster details',
  description:
    'URLs that ordinary Solana clients can use, the current epoch, the validator and the faucet of the local cluster.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    rpcUrl: z.string(),
    wsUrl: z.string(),
    epoch: integer('Current epoch.'),
    voteAccount: z.string(),
    faucetAddress: z.string(),
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { rpcUrl, wsUrl, epoch, voteAccount, faucetAddress } = await controlOf(ctx).state(signal);
    return { body: { rpcUrl, wsUrl, epoch, voteAccount, faucetAddress } };
  },
});

/** `POST /sandbox/airdrop` */
export const airdrop = defineOperation({
  name: 'sandboxAirdrop',
  summary: 'Get sandbox SOL',
  description:
    'Transfers SOL from the faucet of the local cluster, confirmed before the answer. It has no value elsewhere.',
  effect: 'act',
  input: z.object({
    walletAddress: addressSchema('Who receives it.'),
    amountSol: solAmount('How much, SOL.', { maxSol: 1_000_000 }),
  }),
  output: z.object({ signature: signatureSchema('The transfer.') }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const control = controlOf(ctx);
    const { accounts } = await ctx.reads.accounts([input.walletAddress], { signal });
    if (accounts[0] && LOADERS.has(accounts[0].owner))
      throw validationError([
        {
          path: 'walletAddress',
          code: 'program_address',
          message: 'is the address of a program, which can receive nothing',
        },
      ]);
    return { body: await control.airdrop(input.walletAddress, input.amountSol, signal) };
  },
});

/** `POST /sandbox/epoch` */
export const endEpochs = defineOperation({
  name: 'sandboxEndEpochs',
  summary: 'End sandbox epochs now',
  description:
    'Ends epochs of the local cluster, rewards distribution included, and answers once every boundary is complete.',
  effect: 'act',
  input: z.object({
    count: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .meta({
        description: 'How many epochs to end.',
        override: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
      }),
  }),
  output: z.object({ epoch: integer('The current epoch.') }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    return { body: await controlOf(ctx).endEpochs(input.count, signal) };
  },
});
