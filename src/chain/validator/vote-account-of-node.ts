// Reads the finalized vote account from one particular node, so that the responses of several nodes can be
// compared.
import type { Address } from '@solana/kit';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { multipleAccountsSchema } from '../rpc/rpc-schemas.ts';
import { decodeVoteState, type VoteState } from './validator-vote-state.ts';

/**
 * Reads the account. Returns null if the node has no such vote account. Throws `NodeFailure` or `RpcError`.
 */
export const readVoteAccountOfNode = async (
  pool: Pick<RpcPool, 'ask'>,
  node: number,
  voteAccount: Address,
  signal: AbortSignal,
): Promise<{ readonly slot: bigint; readonly state: VoteState } | null> => {
  const { context, value } = await pool.ask(
    node,
    {
      method: 'getMultipleAccounts',
      params: [[voteAccount], { commitment: 'finalized', encoding: 'base64' }],
      schema: multipleAccountsSchema,
      accepts: (response) => response.value.length === 1,
    },
    { signal },
  );
  const [account] = value;
  const state = account ? decodeVoteState(account) : null;
  return state === null ? null : { slot: context.slot, state };
};
