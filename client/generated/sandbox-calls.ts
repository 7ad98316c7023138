// Methods and calls of the operations under "Sandbox".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  DescribeSandboxAnswer,
  DescribeSandboxInput,
  SandboxAirdropAnswer,
  SandboxAirdropInput,
  SandboxEndEpochsAnswer,
  SandboxEndEpochsInput,
  SandboxNetworkAnswer,
  SandboxNetworkInput,
  SandboxValidatorAnswer,
  SandboxValidatorInput,
} from './sandbox-operations.ts';

/** Methods of sandbox operations. */
export interface SandboxMethods {
  /**
   * Sandbox cluster details: `GET /sandbox`
   *
   * URLs that ordinary Solana clients can use, the current epoch, the validator and the faucet of the local
   * cluster.
   */
  readonly describeSandbox: (
    input?: DescribeSandboxInput,
    options?: CallOptions,
  ) => Promise<DescribeSandboxAnswer>;
  /**
   * Get sandbox SOL: `POST /sandbox/airdrop`
   *
   * Transfers SOL from the local cluster’s faucet and responds once it is confirmed. This SOL has no value
   * elsewhere.
   */
  readonly sandboxAirdrop: (
    input: SandboxAirdropInput,
    options?: CallOptions,
  ) => Promise<SandboxAirdropAnswer>;
  /**
   * End sandbox epochs now: `POST /sandbox/epoch`
   *
   * Ends epochs of the local cluster, including rewards distribution, and responds once every boundary is
   * complete.
   */
  readonly sandboxEndEpochs: (
    input?: SandboxEndEpochsInput,
    options?: CallOptions,
  ) => Promise<SandboxEndEpochsAnswer>;
  /**
   * Make the sandbox validator misbehave: `POST /sandbox/validator`
   *
   * Triggers validator alerts on the local cluster; omitted fields keep their values. A rug pull: raise
   * `commissionBps` and end the epoch at once. Delinquency and recovery: votes false, then true (if it is
   * false at the end of an epoch, that epoch earns no credits). An unpaid admission ticket (SIMD-0357): if
   * `ticketSol` is more than the vote account can pay at a boundary, the validator is not admitted to the
   * epoch after the next; an airdrop to the vote account, or `ticketSol` 0, admits it again.
   */
  readonly sandboxValidator: (
    input?: SandboxValidatorInput,
    options?: CallOptions,
  ) => Promise<SandboxValidatorAnswer>;
  /**
   * Make the sandbox network busy: `POST /sandbox/network`
   *
   * Fills the blocks of the local cluster with background transactions. A submitted transaction then waits
   * until a block has room for it at its price, and is dropped once its blockhash is no longer valid;
   * `getRecentPrioritizationFees` reports what the blocks cost. Omitted members take their defaults. The
   * same seed gives the same load. `busy` false: blocks have room for every transaction again.
   */
  readonly sandboxNetwork: (
    input: SandboxNetworkInput,
    options?: CallOptions,
  ) => Promise<SandboxNetworkAnswer>;
}

/** How each of them is called. */
export const sandboxOperations = {
  describeSandbox: { method: 'GET', path: '/sandbox', effect: 'read', query: [], body: [] },
  sandboxAirdrop: {
    method: 'POST',
    path: '/sandbox/airdrop',
    effect: 'act',
    query: [],
    body: ['walletAddress', 'amountSol'],
  },
  sandboxEndEpochs: { method: 'POST', path: '/sandbox/epoch', effect: 'act', query: [], body: ['count'] },
  sandboxValidator: {
    method: 'POST',
    path: '/sandbox/validator',
    effect: 'act',
    query: [],
    body: ['commissionBps', 'votes', 'ticketSol'],
  },
  sandboxNetwork: {
    method: 'POST',
    path: '/sandbox/network',
    effect: 'act',
    query: [],
    body: ['busy', 'transactionsPerBlock', 'backgroundPerBlock', 'unitPrices', 'waveBlocks', 'seed'],
  },
} as const satisfies OperationTable;
