// Returns code that creates a wallet on the caller's machine, so this service never sees the key.

import { z } from 'zod';
import type { CallSource } from '../../domain/call-source.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { codeUrl, type KeyPolicy, keyHandlingStatement } from '../act/key-handling-statement.ts';
import { defineOperation } from '../operation.ts';
import { guidanceSchema, securitySchema } from '../shared-schemas.ts';
import { javascript, posixShell, python } from './wallet-snippets.ts';

export const walletCode = (policy: KeyPolicy, source: CallSource) => {
  const { oneShot } = policy.service.settings;
  const takesKeys = oneShot === 'on' || (oneShot === 'rest' && source !== 'mcp');
  return {
    action: 'EXECUTE_SNIPPET' as const,
    instruction:
      'Run one of these snippets on your own machine. Each prints one line of JSON with the new wallet.',
    runThis: { javascript, python, cli: posixShell },
    expectedOutput: {
      walletAddress: 'the base58 address of the new wallet',
      secretKey: 'its base58 secret key (64 bytes); keep it private',
    },
    whyLocal: 'A server that generates a key has seen it. A key generated locally is known only to you.',
    nextSteps: {
      '1_execute': 'Run one snippet locally',
      '2_capture': 'Save walletAddress and secretKey somewhere safe',
      '3_fund': 'Send SOL to walletAddress',
      '4_checkBalance': guidance`${step('balance')}`,
      '5_stake': guidance`${step('createStakeTransaction')} with walletAddress and amountSol, sign its transaction on your own machine, then ${step('submitTransaction')}: the key never leaves your machine`,
      alternative_unsignedFlow: guidance`${step('createStakeTransaction')}, then open its signUrl where the wallet is: the page shows what it does, and the wallet signs it`,
      ...(takesKeys && {
        alternative_oneShot: guidance`${step('stake')} with walletAddress, secretKey and amountSol, only to a service on your own machine or over TLS: the service sees the key`,
      }),
    },
    securityModel: keyHandlingStatement(policy),
  };
};

/** `POST /api/v1/wallet/generate` */
export const generate = defineOperation({
  name: 'generateWallet',
  summary: 'Get code that creates a wallet locally',
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
      '4_checkBalance': guidanceSchema,
      '5_stake': guidanceSchema,
      alternative_unsignedFlow: guidanceSchema,
      alternative_oneShot: guidanceSchema.optional().meta({
        description: 'Only where this service takes secret keys.',
        override: { type: 'string' },
      }),
    }),
    securityModel: securitySchema,
  }),
  errors: [],
  async run({ ctx, source }) {
    return { body: walletCode(ctx, source), meta: { verifyThisCode: codeUrl(ctx) } };
  },
});
