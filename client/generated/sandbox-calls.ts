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
   * Transfers SOL from the faucet of the local cluster, confirmed before the answer. It has no value
   * elsewhere.
   */
  readonly sandboxAirdrop: (
    input: SandboxAirdropInput,
    options?: CallOptions,
  ) => Promise<SandboxAirdropAnswer>;
  /**
   * End sandbox epochs now: `POST /sandbox/epoch`
   *
   * Ends epochs of the local cluster, rewards distribution included, and answers once every boundary is
   * complete.
   */
  readonly sandboxEndEpochs: (
    input?: SandboxEndEpochsInput,
    options?: CallOptions,
  ) => Promise<SandboxEndEpochsAnswer>;
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
} as const satisfies OperationTable;
