// Warns before signing if another address controls some of the wallet's stakes or the wallet has no private
// key. Reads only the index, so it never waits.
import type { Address } from '@solana/kit';
import { controlNotices } from '../../domain/alerts/control-notices.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import { otherWalletsIn } from '../../events/watcher/change-context.ts';
import type { Context } from '../context.ts';
import { isVault } from './build-options.ts';

/** Returns the warnings. Warnings about stakes are missing until the index contains the wallet's accounts. */
export const walletNotices = ({ chain: { index } }: Pick<Context, 'chain'>, wallet: Address): Notice[] => [
  ...(isVault(wallet)
    ? [
        notice(
          'WALLET_HAS_NO_KEY',
          '{walletAddress} is a program-derived address, for example the vault of a multisig. It has no key: put these instructions into a transaction of its program, as the guide “Sign with your wallet” shows for Squads.',
          { walletAddress: wallet },
        ),
      ]
    : []),
  ...(index === null
    ? []
    : controlNotices(
        (index.walletRows(wallet)?.rows ?? []).map(({ account }) => account),
        wallet,
        { otherWalletsOf: otherWalletsIn(index) },
      )),
];
