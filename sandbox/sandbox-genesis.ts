// Creates the first accounts of a fresh chain: a rich faucet, a validator, and vote accounts created by the
// real Vote program.

import type { EpochEngine } from './epochs/epoch-engine.ts';
import {
  createVoteAccountInstructions,
  VOTE_ACCOUNT_SPACE,
  VOTE_PROGRAM,
  withNode,
  withoutRevenueCommission,
} from './epochs/vote-account.ts';
import { SYSTEM_PROGRAM, sendSigned } from './gateway/legacy-transaction.ts';
import type { RuntimeClient } from './runtime-client.ts';
import { sandboxKey } from './sandbox-keys.ts';

// Less than 2^53, so clients that read JSON numbers as doubles see the exact balance.
const FAUCET_LAMPORTS = 5_000_000_000_000_000n;
const VOTE_ACCOUNT_LAMPORTS = 30_000_000n;
const validator = (name: string, commissionPct: number) => ({
  identity: sandboxKey(`${name} identity`).address,
  voteAccount: sandboxKey(`${name} vote`).address,
  commissionPct,
});

/** The other validators with a vote account on the chain. */
export const OTHER_VALIDATORS = [validator('other', 5), validator('third', 10)] as const;

const IDENTITY_LAMPORTS = 10_000_000_000n;

/** Funds the faucet and the validator identity. */
export async function fundSandboxKeys(client: RuntimeClient): Promise<void> {
  const fund = (name: string, lamports: bigint): Promise<void> =>
    client.setAccount(
      { address: sandboxKey(name).address, lamports, data: new Uint8Array() },
      SYSTEM_PROGRAM,
    );
  await fund('faucet', FAUCET_LAMPORTS);
  await fund('identity', IDENTITY_LAMPORTS);
}

/**
 * Creates the sandbox's vote account through the real Vote program. Those of other validators are copies with
 * their own node and commission.
 */
export async function createVoteAccounts(client: RuntimeClient, engine: EpochEngine): Promise<void> {
  const [faucet, identity, vote] = [sandboxKey('faucet'), sandboxKey('identity'), sandboxKey('vote')];
  await sendSigned(
    client,
    [faucet, vote, identity],
    createVoteAccountInstructions({
      funder: faucet.address,
      voteAccount: vote.address,
      identity: identity.address,
      withdrawer: sandboxKey('withdrawer').address,
      lamports: VOTE_ACCOUNT_LAMPORTS,
    }),
  );
  await engine.produceBlock();
  const created = (await client.call('getAccountInfo', [vote.address, { encoding: 'base64' }])) as {
    value: { data: [string, string] };
  };
  const own = withoutRevenueCommission(Buffer.from(created.value.data[0], 'base64'));
  if (own.length !== VOTE_ACCOUNT_SPACE) throw new Error('The vote account was not created.');
  const write = (address: string, data: Buffer): Promise<void> =>
    client.setAccount({ address, lamports: VOTE_ACCOUNT_LAMPORTS, data }, VOTE_PROGRAM);
  await write(vote.address, own);
  for (const { identity: node, voteAccount, commissionPct } of OTHER_VALIDATORS)
    await write(voteAccount, withNode(own, node, commissionPct * 100));
}
