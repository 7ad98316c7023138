// Sandbox operations: the addresses of the local cluster, free SOL, and control of time and validator. Not
// available on a real cluster.
import { address } from '@solana/kit';
import { z } from 'zod';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { AppError, validationError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import type { SandboxControl } from '../service-ports.ts';
import { addressSchema, integer, signatureSchema, sol, solAmount } from '../shared-schemas.ts';

/** Loader programs. A transfer cannot credit an account that belongs to one of them. */
const LOADERS: ReadonlySet<string> = new Set([
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);

const controlOf = (ctx: Context): SandboxControl => {
  if (ctx.service.sandbox) return ctx.service.sandbox;
  throw new AppError('NOT_FOUND', 'This service runs on a real cluster; it has no sandbox.', {
    reason: 'NO_SANDBOX',
  });
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

/** Amount that the faucet keeps for the transfer fee and the rent-exempt minimum of its own account. */
const FAUCET_KEEPS_LAMPORTS = 1_000_000n;

const refuseEmptyFaucet = (balanceLamports: bigint, wantedLamports: bigint): void => {
  const left = balanceLamports > FAUCET_KEEPS_LAMPORTS ? balanceLamports - FAUCET_KEEPS_LAMPORTS : 0n;
  if (wantedLamports <= left) return;
  throw new AppError('INSUFFICIENT_BALANCE', 'The sandbox faucet has only {availableSol} SOL left.', {
    reason: 'FAUCET',
    params: { availableSol: solFigure(left) },
    suggestedAction: `${left > 0n ? 'Request at most {availableSol} SOL, or restart' : 'Restart'} the service: every sandbox starts with a full faucet.`,
    body: { availableSol: solNumber(left) },
  });
};

/** `POST /sandbox/airdrop` */
export const airdrop = defineOperation({
  name: 'sandboxAirdrop',
  summary: 'Get sandbox SOL',
  description:
    'Transfers SOL from the local cluster’s faucet and responds once it is confirmed. This SOL has no value elsewhere.',
  effect: 'act',
  input: z.object({
    walletAddress: addressSchema('Recipient.'),
    amountSol: solAmount('How much, SOL.', { maxSol: 1_000_000 }),
  }),
  output: z.object({ signature: signatureSchema('The transfer.') }),
  errors: ['INSUFFICIENT_BALANCE', 'UPSTREAM_UNAVAILABLE'],
  presentation: { INSUFFICIENT_BALANCE: { title: 'Faucet empty' } },
  async run({ ctx, input, signal }) {
    const control = controlOf(ctx);
    const { faucetAddress } = await control.state(signal);
    const { accounts } = await ctx.chain.reads.accounts([input.walletAddress, address(faucetAddress)], {
      signal,
    });
    if (accounts[0] && LOADERS.has(accounts[0].owner))
      throw validationError([
        {
          path: 'walletAddress',
          code: 'program_address',
          message: 'is the address of a program, which cannot receive SOL',
        },
      ]);
    refuseEmptyFaucet(accounts[1]?.lamports ?? 0n, input.amountSol);
    return { body: await control.airdrop(input.walletAddress, input.amountSol, signal) };
  },
});

/** `POST /sandbox/epoch` */
export const endEpochs = defineOperation({
  name: 'sandboxEndEpochs',
  summary: 'End sandbox epochs now',
  description:
    'Ends epochs of the local cluster, including rewards distribution, and responds once every boundary is complete.',
  effect: 'act',
  input: z.object({
    count: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .meta({
        description: 'Number of epochs to end.',
        override: { type: 'integer', minimum: 1, maximum: 100, default: 1 },
      }),
  }),
  output: z.object({ epoch: integer('The current epoch.') }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    return { body: await controlOf(ctx).endEpochs(input.count, signal) };
  },
});

/** `POST /sandbox/validator` */
export const setSandboxValidator = defineOperation({
  name: 'sandboxValidator',
  summary: 'Make the sandbox validator misbehave',
  description:
    'Triggers validator alerts on the local cluster; omitted fields keep their values. A rug pull: raise `commissionBps` and end the epoch at once. Delinquency and recovery: votes false, then true (if it is false at the end of an epoch, that epoch earns no credits). An unpaid admission ticket (SIMD-0357): if `ticketSol` is more than the vote account can pay at a boundary, the validator is not admitted to the epoch after the next; an airdrop to the vote account, or `ticketSol` 0, admits it again.',
  effect: 'act',
  input: z.object({
    commissionBps: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .meta({ description: 'Commission on inflation, hundredths of a percent.' }),
    votes: z.boolean().optional().meta({ description: 'Set to false to stop the validator from voting.' }),
    ticketSol: solAmount('Amount taken from the vote account at each boundary; 0 requires no ticket.', {
      minSol: 0,
      maxSol: 1_000_000,
    }).optional(),
  }),
  output: z.object({
    commissionBps: z.int(),
    votes: z.boolean(),
    ticketSol: sol('Amount taken at each boundary.'),
    admitted: z.boolean().meta({ description: 'Admitted to the current epoch.' }),
    balanceSol: sol('Balance of the vote account.'),
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const { commissionBps, votes, ticketSol: ticketLamports } = input;
    const state = await controlOf(ctx).setValidator(
      {
        ...(commissionBps === undefined ? {} : { commissionBps }),
        ...(votes === undefined ? {} : { votes }),
        ...(ticketLamports === undefined ? {} : { ticketLamports: Number(ticketLamports) }),
      },
      signal,
    );
    return {
      body: {
        commissionBps: state.commissionBps,
        votes: state.votes,
        ticketSol: solNumber(state.ticketLamports),
        admitted: state.admitted,
        balanceSol: solNumber(state.balanceLamports),
      },
    };
  },
});

/** `POST /sandbox/network` */
export const setSandboxNetwork = defineOperation({
  name: 'sandboxNetwork',
  summary: 'Make the sandbox network busy',
  description:
    'Fills the blocks of the local cluster with background transactions. A submitted transaction then waits until a block has room for it at its price, and is dropped once its blockhash is no longer valid; `getRecentPrioritizationFees` reports what the blocks cost. Omitted fields have their default values. The same seed produces the same load. With `busy` false, blocks have room for every transaction again.',
  effect: 'act',
  input: z.object({
    busy: z.boolean().meta({ description: 'False makes the network quiet again.', examples: [true] }),
    transactionsPerBlock: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .meta({ description: 'Capacity of a block, in transactions. Default: 20.' }),
    backgroundPerBlock: z.int().min(0).max(10_000).optional().meta({
      description:
        'Average number of background transactions per block, which rises and falls between 0 and twice this number. Default: 100.',
    }),
    unitPrices: z.array(z.int().min(0).max(1_000_000_000_000)).min(1).max(100).optional().meta({
      description:
        'Prices of background transactions, micro-lamports per compute unit: evenly spaced quantiles, ascending.',
    }),
    waveBlocks: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: 'Blocks from one turning point of the load to the next. Default: 300.' }),
    seed: z.int().min(0).max(4_294_967_295).optional().meta({ description: 'Default 1.' }),
  }),
  output: z.object({
    busy: z.boolean(),
    waiting: integer('Transactions that wait for room in a block.'),
    transactionsPerBlock: z.int().optional(),
    backgroundPerBlock: z.int().optional(),
    unitPrices: z.array(z.int()).optional(),
    waveBlocks: z.int().optional(),
    seed: z.int().optional(),
  }),
  errors: ['UPSTREAM_UNAVAILABLE'],
  async run({ ctx, input, signal }) {
    const { unitPrices } = input;
    if (unitPrices?.some((price, index) => price < (unitPrices[index - 1] ?? 0)))
      throw validationError([{ path: 'unitPrices', code: 'not_ascending', message: 'must not decrease' }]);
    const { unitPrices: prices, ...load } = await controlOf(ctx).setNetwork(input, signal);
    return { body: { ...load, ...(prices && { unitPrices: [...prices] }) } };
  },
});
