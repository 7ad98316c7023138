// What is said to a wallet before it signs anything: that somebody else decides about its stakes here. From memory; nothing waits for it.
import type { Address } from '@solana/kit';
import { controlWarnings } from '../../domain/alerts/control-warnings.ts';
import { otherWalletsIn } from '../../events/watcher/change-context.ts';
import type { Context } from '../context.ts';

/** None while the index does not know the wallet's accounts. */
export const walletWarnings = ({ index }: Pick<Context, 'index'>, wallet: Address): string[] =>
  index === null
    ? []
    : controlWarnings(
        (index.walletRows(wallet)?.rows ?? []).map(({ account }) => account),
        wallet,
        { otherWalletsOf: otherWalletsIn(index) },
      );
