// Lists a wallet's stake accounts from an RPC node, in the format of the service.
import { solNumber } from '../../src/domain/lamports.ts';
import { shownLockup } from '../../src/domain/stake/stake-account.ts';
import { textOf } from '../../src/kernel/sentence.ts';
import type { RpcNode } from './call-rpc-node.ts';
import { readWalletStakes } from './read-stakes.ts';

/** Lists the wallet's stakes with the service's field names. */
export const listStakes = async (node: RpcNode, walletAddress: string) =>
  (await readWalletStakes(node, walletAddress)).map(({ account, assessment }) => {
    const { address, lamports, stakeAuthority, withdrawAuthority, lockup, delegation } = account;
    const { state, withdrawReady, withdrawableLamports, withdrawableAtEpoch } = assessment;
    return {
      address,
      sol: solNumber(lamports),
      state,
      stateDescription: textOf(assessment.stateSentences()),
      withdrawReady,
      withdrawableSol: solNumber(withdrawableLamports),
      withdrawableAtEpoch: withdrawableAtEpoch === null ? null : Number(withdrawableAtEpoch),
      deactivationEpoch: state === 'deactivating' ? Number(delegation!.deactivationEpoch) : null,
      estimatedSecondsRemaining: null,
      role: withdrawAuthority === walletAddress ? ('owner' as const) : ('staker' as const),
      stakeAuthority,
      withdrawAuthority,
      lockup: shownLockup(lockup),
      voteAccount: delegation?.voteAccount ?? null,
    };
  });
