// Names the address that can withdraw from a stake account if the shown wallet cannot.
import type { StakeAccount } from '../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';

/** Returns the short address, or `none` if the wallet itself can withdraw. */
export const otherOwner = ({
  role,
  withdrawAuthority,
}: Pick<StakeAccount, 'role' | 'withdrawAuthority'>): string =>
  role === 'owner' ? 'none' : shortAddress(withdrawAuthority);
