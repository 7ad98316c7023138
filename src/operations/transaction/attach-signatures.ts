// Merges signatures that were made separately, for example by the fee payer, the wallet and an authority.
import { getBase58Encoder } from '@solana/kit';
import { z } from 'zod';
import { attachSignatures as attach } from '../../chain/transactions/merge-signatures.ts';
import { decodeWire } from '../../chain/transactions/wire-transaction.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, sentenceShape, signatureSchema, transactionSchema } from '../shared-schemas.ts';

/** Maximum number of copies. No transaction of this service needs that many signatures. */
const MAX_COPIES = 10;

/** `POST /api/v1/transaction/attach` */
export const attachSignatures = defineOperation({
  name: 'attachSignatures',
  summary: 'Merge the signatures of several signers',
  description:
    'Takes copies of one transaction, each signed by some of its signers, and returns it with all their signatures. A custodian that returns only a signature can pass it in `signatures`. Each signature is checked against the message. Nothing is stored or sent: submit the result once no signature is missing.',
  effect: 'read',
  input: z.object({
    transactions: z
      .array(transactionSchema)
      .min(1)
      .max(MAX_COPIES)
      .meta({ description: 'Copies of one transaction in base64.' }),
    signatures: z
      .array(
        z.object({
          address: addressSchema('The address that signed.'),
          signature: signatureSchema('Its signature of the message.'),
        }),
      )
      .max(MAX_COPIES)
      .default([])
      .meta({ description: 'Signatures without a transaction. Default: none.', examples: [[]] }),
  }),
  output: z.object({
    transaction: transactionSchema.meta({ description: 'The transaction with these signatures, in base64.' }),
    complete: z.boolean().meta({ description: 'True if no signature is missing.' }),
    signedBy: z.array(z.string()).meta({ description: 'Addresses that signed, the fee payer first.' }),
    missingSigners: z.array(z.string()).meta({ description: 'Addresses that must still sign.' }),
    ...sentenceShape('message', 'Next step, in words for people.'),
  }),
  errors: ['INVALID_TRANSACTION'],
  async run({ input: { transactions, signatures } }) {
    const toBytes = getBase58Encoder();
    const [first, ...others] = transactions.map((one) =>
      decodeWire(new Uint8Array(Buffer.from(one, 'base64'))),
    );
    const { wireBytes, signed, missing } = attach(
      [first!, ...others],
      new Map(signatures.map((one) => [one.address, new Uint8Array(toBytes.encode(one.signature))])),
    );
    const complete = missing.length === 0;
    return {
      body: {
        transaction: Buffer.from(wireBytes).toString('base64'),
        complete,
        signedBy: [...signed],
        missingSigners: [...missing],
        ...sentenceMembers('message', [
          complete
            ? sentence('ALL_SIGNED', 'All signatures are present. Submit it.')
            : sentence('SIGNERS_MISSING', 'Not signed yet by {signers}.', { signers: missing.join(', ') }),
        ]),
      },
    };
  },
});
