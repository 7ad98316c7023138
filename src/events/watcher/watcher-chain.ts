// Chain data that is constant during one poll.
import type { Address } from '@solana/kit';
import type { FinalizedPosition } from '../../chain/cluster/finalized-position.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';

export interface ChainFacts {
  readonly genesisHash: string;
  readonly voteAccount: Address;
  readonly position: FinalizedPosition;
  readonly history: StakeHistory;
}
