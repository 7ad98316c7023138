// Lists the lamports that each instruction moves between accounts. For merges, uses the balances before the
// transaction.
import type { Address } from '@solana/kit';
import type { DecodedInstruction } from '../../instruction-types.ts';

/** Lamports that an instruction moves from one account to another. */
interface LamportTransfer {
  readonly from: Address | null;
  readonly to: Address | null;
  /** Null if the balance of a merged account is unknown, because a merge moves the whole balance. */
  readonly lamports: bigint | null;
}

type Instructions = readonly Pick<DecodedInstruction<Address | null>, 'data'>[];
type Balances = ReadonlyMap<Address, bigint>;

const transferOf = (data: Instructions[number]['data'], balances: Balances): LamportTransfer | null => {
  switch (data.type) {
    case 'system.createAccount':
      return { from: data.from, to: data.newAccount, lamports: data.lamports };
    case 'system.transfer':
      return { from: data.from, to: data.to, lamports: data.lamports };
    case 'stake.withdraw':
      return { from: data.stakeAccount, to: data.recipient, lamports: data.lamports };
    case 'stake.split':
    case 'stake.moveStake':
    case 'stake.moveLamports':
      return { from: data.stakeAccount, to: data.into, lamports: data.lamports };
    case 'stake.merge': {
      const lamports = data.from === null ? undefined : balances.get(data.from);
      return { from: data.from, to: data.stakeAccount, lamports: lamports ?? null };
    }
    default:
      return null;
  }
};

/**
 * Returns one entry per instruction; null if the instruction moves nothing. `before` contains the known
 * balances.
 */
export const lamportTransfers = (
  instructions: Instructions,
  before: Balances,
): readonly (LamportTransfer | null)[] => {
  const balances = new Map(before);
  const add = (account: Address | null, lamports: bigint | null): void => {
    const balance = account === null ? undefined : balances.get(account);
    if (account === null || balance === undefined) return;
    if (lamports === null) balances.delete(account);
    else balances.set(account, balance + lamports);
  };
  return instructions.map(({ data }) => {
    const transfer = transferOf(data, balances);
    if (transfer === null) return null;
    const { from, to, lamports } = transfer;
    // A newly created account had no balance before.
    if (data.type === 'system.createAccount' && to !== null) balances.set(to, 0n);
    add(from, lamports === null ? null : -lamports);
    add(to, lamports);
    return transfer;
  });
};
