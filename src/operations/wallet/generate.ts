// Hands out code that makes a wallet on the caller's machine; this service never sees a generated key.
import { z } from 'zod';
import type { CallSource } from '../../domain/call-source.ts';
import { codeUrl, type KeyPolicy, security } from '../act/security.ts';
import { defineOperation } from '../operation.ts';
import { securitySchema } from '../schemas.ts';
import { cli } from './snippets/cli.ts';
import { javascript } from './snippets/javascript.ts';
import { python } from './snippets/python.ts';

/** The snippets and what to do with them. */
export const walletCode = (policy: KeyPolicy, source: CallSource) => {
  const { oneShot } = policy.settings;
  const takesKeys = oneShot === 'on' || (oneShot === 'rest' && source !== 'mcp');
  return {
    action: 'EXECUTE_SNIPPET' as const,
    instruction:
      'Run one of these snippets on your own machine. Each prints one line of JSON with the new wallet.',
    runThis: { javascript, python, cli },
    expectedOutput: {
      walletAddress: 'the base58 address of the new wallet',
      secretKey: 'its base58 secret key (64 bytes); keep it to yourself',
    },
    whyLocal:
      'A key that a server has generated is a key that a server has seen. Made locally, it is yours alone.',
    nextSteps: {
      '1_execute': 'Run one snippet locally',
      '2_capture': 'Keep walletAddress and secretKey somewhere safe',
      '3_fund': 'Send SOL to walletAddress',
      '4_checkBalance': 'GET /api/v1/wallet/balance/{walletAddress}',
      '5_stake': takesKeys
        ? 'POST /api/v1/stake with walletAddress, secretKey and amountSol'
        : 'POST /api/v1/stake/transaction with walletAddress and amountSol, sign locally, POST /api/v1/transaction/submit',
      alternative_unsignedFlow:
        'POST /api/v1/stake/transaction, sign locally, POST /api/v1/transaction/submit: the key never leaves your machine',
    },
    securityModel: security(policy),
  };
};

/** `POST /api/v1/wallet/generate` */
export const generate = defineOperation({
  name: 'generateWallet',
  summary: 'Get code that makes a wallet locally',
  description:
    'Returns snippets in JavaScript, Python and shell that generate a Solana wallet on your machine, with standard libraries only. Run one of them yourself; the service never generates, sees or stores the key.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    action: z.literal('EXECUTE_SNIPPET'),
    instruction: z.string(),
    runThis: z.object({ javascript: z.string(), python: z.string(), cli: z.string() }),
    expectedOutput: z.object({ walletAddress: z.string(), secretKey: z.string() }),
    whyLocal: z.string(),
    nextSteps: z.object({
      '1_execute': z.string(),
      '2_capture': z.string(),
      '3_fund': z.string(),
      '4_checkBalance': z.string(),
      '5_stake': z.string(),
      alternative_unsignedFlow: z.string(),
    }),
    securityModel: securitySchema,
  }),
  errors: [],
  async run({ ctx, source }) {
    return { body: walletCode(ctx, source), meta: { verifyThisCode: codeUrl(ctx) } };
  },
});
