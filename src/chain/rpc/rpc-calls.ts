// JSON-RPC calls used by more than one module, each with its response schema.
import type { Signature } from '@solana/kit';
import type { z } from 'zod';
import type { ReadOptions, SignatureStatus } from '../ports.ts';
import type { RpcCall } from './rpc-pool.ts';
import * as schemas from './rpc-schemas.ts';

type Commitment = 'processed' | 'confirmed' | 'finalized';

const minContextSlotOf = ({ minContextSlot }: { readonly minContextSlot?: bigint | undefined }) =>
  minContextSlot === undefined ? {} : { minContextSlot: Number(minContextSlot) };

/** Configuration fields that every read method takes. */
export const readConfig = ({ commitment = 'confirmed', minContextSlot }: ReadOptions) => ({
  commitment,
  ...minContextSlotOf({ minContextSlot }),
});

/** Requests a blockhash and its last valid block height. */
export const latestBlockhashCall = (
  commitment: Commitment,
): RpcCall<z.output<typeof schemas.latestBlockhashSchema>> => ({
  method: 'getLatestBlockhash',
  params: [{ commitment }],
  schema: schemas.latestBlockhashSchema,
  slotOf: ({ context }) => context.slot,
});

/** Requests the height of the newest block at `commitment`. */
export const blockHeightCall = (commitment: Commitment): RpcCall<bigint> => ({
  method: 'getBlockHeight',
  params: [{ commitment }],
  schema: schemas.u64Schema,
});

/**
 * Requests the slot, height and epoch of one bank. Some local runtimes ignore the commitment and respond for
 * the tip of the chain.
 */
export const epochInfoCall = (commitment: Commitment): RpcCall<z.output<typeof schemas.epochInfoSchema>> => ({
  method: 'getEpochInfo',
  params: [{ commitment }],
  schema: schemas.epochInfoSchema,
  slotOf: ({ absoluteSlot }) => absoluteSlot,
});

/** Requests the genesis hash, which identifies the cluster. */
export const genesisHashCall: RpcCall<string> = {
  method: 'getGenesisHash',
  params: [],
  schema: schemas.addressSchema,
};

const statusesSchema = schemas.signatureStatusesSchema.transform(({ context, value }) => ({
  slot: context.slot,
  statuses: value.map((status): SignatureStatus | null =>
    status === null
      ? null
      : {
          slot: status.slot,
          // Nodes that lack this field indicate a rooted transaction by omitting the number of confirmations.
          confirmationStatus:
            status.confirmationStatus ?? (status.confirmations === null ? 'finalized' : 'processed'),
          error: status.err ?? null,
        },
  ),
}));

/** Requests statuses in the order of `signatures`, at most 256; `null` for unknown ones. */
export const signatureStatusesCall = (
  signatures: readonly Signature[],
  searchTransactionHistory: boolean,
): RpcCall<{ slot: bigint; statuses: readonly (SignatureStatus | null)[] }> => ({
  method: 'getSignatureStatuses',
  params: [signatures, { searchTransactionHistory }],
  schema: statusesSchema,
  accepts: ({ statuses }) => statuses.length === signatures.length,
  slotOf: ({ slot }) => slot,
});

/** Sends wire bytes and returns the signature. */
export const sendTransactionCall = (
  wireBase64: string,
  options: { skipPreflight: boolean; minContextSlot?: bigint | undefined },
): RpcCall<Signature> => ({
  method: 'sendTransaction',
  params: [
    wireBase64,
    {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
      skipPreflight: options.skipPreflight,
      maxRetries: 0,
      ...minContextSlotOf(options),
    },
  ],
  schema: schemas.signatureSchema,
});

/** Simulates a transaction. With `replaceRecentBlockhash`, any blockhash works. */
export const simulateTransactionCall = (
  wireBase64: string,
  {
    replaceRecentBlockhash,
    ...least
  }: { replaceRecentBlockhash: boolean; minContextSlot?: bigint | undefined },
): RpcCall<z.output<typeof schemas.simulationSchema>> => ({
  method: 'simulateTransaction',
  params: [
    wireBase64,
    {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash,
      ...minContextSlotOf(least),
    },
  ],
  schema: schemas.simulationSchema,
  slotOf: ({ context }) => context.slot,
});
