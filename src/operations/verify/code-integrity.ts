// Reports the running code with hashes of the loaded files, and states the limits of that proof.

import { z } from 'zod';
import { MEMO_PROGRAM } from '../../domain/instruction-programs.ts';
import { type Guidance, guidance, step } from '../../kernel/guidance.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { guidanceSchema, sentenceSchema } from '../shared-schemas.ts';
import { PUBLISHED_FILES, sourceUrl } from './published-files.ts';

const byName = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** `GET /api/v1/verify/code` */
export const codeIntegrity = defineOperation({
  name: 'codeIntegrity',
  summary: 'Running code',
  description:
    'Commit and SHA-256 hashes of the code that this process loaded when it started, and where to read it. Self-reported: a dishonest service could return the same. The proof is to check each transaction before signing it, with the stand-alone verifier on your own machine.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    gitCommit: z
      .string()
      .nullable()
      .meta({ description: 'The running commit; null if it cannot be proven.' }),
    dirty: z
      .boolean()
      .nullable()
      .meta({ description: 'True if the loaded sources differ from that commit; null if unknown.' }),
    sourceHashes: z.object({
      description: z.string(),
      files: byName(z.string()).meta({ description: 'SHA-256 in hex by file name.' }),
    }),
    changedOnDisk: byName(z.boolean()).meta({
      description: 'By file name: true if the file on disk differs from the loaded one.',
    }),
    treeSha256: z.string().meta({
      description:
        'Hash of all files in src/ at startup; equals the output of `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum`.',
    }),
    lockfileSha256: z
      .string()
      .nullable()
      .meta({ description: 'Hash of package-lock.json, which pins every dependency; null if absent.' }),
    sourceCode: z.object({
      description: z.string(),
      files: byName(z.string()).meta({ description: 'URL of the source by file name.' }),
    }),
    notInThisVersion: z
      .array(z.string())
      .meta({ description: 'Published names that this version does not include.' }),
    packages: z.array(z.object({ file: z.string(), url: z.string(), sha256: z.string() })).meta({
      description: 'Client and command line packages served by this service, for `npm i <url>`.',
    }),
    openSource: z
      .string()
      .nullable()
      .meta({ description: 'URL where the operator publishes the code; null if not set.' }),
    verificationSteps: z.array(guidanceSchema),
    verificationStepsSentences: z.array(sentenceSchema).meta({ description: 'The steps as data.' }),
    identity: z
      .object({
        genesisHash: z.string().meta({ description: 'Identifies the cluster.' }),
        voteAccount: z.string().meta({ description: 'The only validator to which stake is delegated.' }),
        donationAddress: z.string(),
        memo: z.string().meta({ description: 'The exact memo of every transaction.' }),
      })
      .meta({
        description:
          'Constants of every transaction built here. Store them on first use, and reject any change that the operator has not announced elsewhere.',
      }),
    memoProgram: z.object({ programId: z.string(), expectedMemo: z.string(), description: z.string() }),
  }),
  errors: [],
  async run({ ctx }) {
    const {
      service: { source, settings },
    } = ctx;
    const [dirty, changedOnDisk] = await Promise.all([source.isDirty(), source.changedOnDisk()]);
    const files = [...source.files.values()];
    const steps = verificationSteps(settings.sourceUrl);
    return {
      body: {
        gitCommit: source.gitCommit,
        dirty,
        sourceHashes: {
          description:
            'SHA-256 of the bytes that this process read when it started. There is no build step: these are the files that run. Self-reported: see `verificationSteps` for real proof.',
          files: Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])),
        },
        changedOnDisk,
        treeSha256: source.treeSha256,
        lockfileSha256: source.lockfileSha256,
        sourceCode: {
          description:
            'The same bytes as text; the header X-SHA256 contains their hash. See transaction.ts for the transactions that are built and stake-verifier.ts for the checks.',
          files: Object.fromEntries(
            files.map(({ name }) => [name, sourceUrl(ctx.service.publicUrl(), name)]),
          ),
        },
        notInThisVersion: PUBLISHED_FILES.filter((name) => !source.files.has(name)),
        packages: ctx.service
          .packages()
          .map(({ file, sha256 }) => ({ file, url: `${ctx.service.publicUrl()}/${file}`, sha256 })),
        openSource: settings.sourceUrl ?? null,
        verificationSteps: steps.map(({ text }) => text),
        verificationStepsSentences: steps,
        identity: {
          genesisHash: ctx.chain.cluster.genesisHash,
          voteAccount: settings.voteAccount,
          donationAddress: settings.donationAddress,
          memo: settings.memo,
        },
        memoProgram: {
          programId: MEMO_PROGRAM,
          expectedMemo: settings.memo,
          description:
            'Every transaction built here ends with this memo. It shows which service a transaction came through. Anyone can write it, so it does not prove the origin.',
        },
      },
    };
  },
});

/** Lists the ways to check this service, from the weakest evidence to the strongest. */
export const verificationSteps = (published: string | undefined): Sentence<Guidance>[] => [
  sentence(
    'TRUST_TRANSACTIONS',
    'This endpoint is self-reported. A dishonest service could return the same, so trust transactions, not hashes.',
  ),
  published === undefined
    ? sentence('GET_CODE', 'Get the code from a source you trust, and check out gitCommit.')
    : sentence(
        'GET_CODE_FROM',
        'Get the code from a source you trust, such as {source}, and check out gitCommit.',
        { source: published },
      ),
  sentence(
    'COMPARE_HASHES',
    'Compare: sha256sum of each file with sourceHashes, and `find src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum` with treeSha256.',
  ),
  sentence<Guidance>(
    'BUILD_UNSIGNED',
    guidance`Build transactions unsigned (${step('createStakeTransaction')} and similar calls), so that your key never leaves your machine.`,
  ),
  sentence(
    'VERIFY_BEFORE_SIGNING',
    'Before you sign, check the transaction with the stand-alone verifier of that code on your machine: node scripts/run.mjs scripts/verify-transaction.ts <base64> --wallet <WALLET_ADDRESS> --vote <VOTE_ACCOUNT>. This is the proof.',
  ),
  sentence(
    'READ_AFTERWARDS',
    'After it has landed, read the stake account from an RPC node of your choice: both authorities must be your wallet, and it must be delegated to the vote account.',
  ),
];
