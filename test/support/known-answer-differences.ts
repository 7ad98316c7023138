// The remaining differences between the sandbox's answers and Agave's, with reasons; sandbox/README.md lists
// the same. The service reads none of these members.

/**
 * A pattern of differences. The contract test fails if a difference matches none of them, and if one of them
 * matches nothing any more.
 */
interface KnownDifference {
  readonly line: RegExp;
  readonly why: string;
}

/** All of them. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    line: /^getBlockProduction: ours: .*<key>: Agave list, sandbox absent$/,
    why: 'the sandbox has 72 leaders, a test validator is the only one',
  },
  {
    line: /^getClusterNodes: all: result\[\]\.(pubsub|rpc): Agave string, sandbox null or string$/,
    why: "the sandbox's peers serve no RPC",
  },
  {
    line: /\.transactionIndex: Agave number, sandbox absent$/,
    why: 'the runtime has no index of a transaction in its block',
  },
  {
    line: /^getTransaction: .*\.costUnits: Agave number, sandbox absent$/,
    why: 'the runtime counts no cost units',
  },
  {
    line: /^(program|signature)Subscribe: .*\.apiVersion: Agave absent, sandbox string$/,
    why: 'WebSocket frames pass as the runtime wrote them',
  },
  {
    line: /^(program|signature)Subscribe: no \w+: error\.message: /,
    why: 'WebSocket frames pass as the runtime wrote them',
  },
  {
    line: /^sendTransaction: .*\.(fee|loadedAccountsDataSize): Agave number, sandbox null$/,
    why: 'the runtime reports neither',
  },
  {
    line: /^sendTransaction: longer than a packet: error\.message: /,
    why: 'the runtime reads transactions of any length',
  },
  {
    line: /^simulateTransaction: .*\.(fee|loadedAddresses|(pre|post)(Token)?Balances)\b/,
    why: 'the runtime reports none of them',
  },
];
