// The chain as one poll of the watcher sees it.
import type { Address } from '@solana/kit';
import type { FinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';

/** Constant during a poll. */
export interface ChainFacts {
  readonly genesisHash: string;
  readonly voteAccount: Address;
  readonly position: FinalizedPosition;
  readonly history: StakeHistory;
}
