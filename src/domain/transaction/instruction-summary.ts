// Describes each instruction in one sentence that a person can compare with their intent.
import type { Address } from '@solana/kit';
import type { InstructionFields } from '../instruction-types.ts';
import { formatSol } from '../lamports.ts';

const who = (address: Address | null): string => address ?? 'an account from a lookup table';

/** Builds the sentence for decoded fields. Unknown instructions are described by `program` and `name`. */
export const summarise = (data: InstructionFields, program: string, name: string): string => {
  switch (data.type) {
    case 'system.createAccount':
      return `Creates account ${who(data.newAccount)} of ${data.space} bytes owned by ${data.owner}, with ${formatSol(data.lamports)} SOL from ${who(data.from)}.`;
    case 'system.transfer':
      return `Transfers ${formatSol(data.lamports)} SOL from ${who(data.from)} to ${who(data.to)}.`;
    case 'system.advanceNonceAccount':
      return `Advances the durable nonce ${who(data.nonceAccount)}.`;
    case 'stake.initialize':
      return `Makes ${data.staker} the stake authority and ${data.withdrawer} the withdraw authority of ${who(data.stakeAccount)}, ${lockupWords(data.lockup)}.`;
    case 'stake.delegateStake':
      return `Delegates stake account ${who(data.stakeAccount)} to vote account ${who(data.voteAccount)}.`;
    case 'stake.deactivate':
      return `Deactivates stake account ${who(data.stakeAccount)}.`;
    case 'stake.withdraw':
      return `Withdraws ${formatSol(data.lamports)} SOL from stake account ${who(data.stakeAccount)} to ${who(data.recipient)}.`;
    case 'stake.split':
      return `Splits ${formatSol(data.lamports)} SOL of stake account ${who(data.stakeAccount)} into ${who(data.into)}.`;
    case 'stake.moveStake':
      return `Moves ${formatSol(data.lamports)} SOL of stake from ${who(data.stakeAccount)} to ${who(data.into)}.`;
    case 'stake.moveLamports':
      return `Moves ${formatSol(data.lamports)} idle SOL from stake account ${who(data.stakeAccount)} to ${who(data.into)}.`;
    case 'stake.merge':
      return `Merges stake account ${who(data.from)} into ${who(data.stakeAccount)}.`;
    case 'stake.authorize':
      return `Makes ${data.newAuthority} the ${data.role === 'staker' ? 'stake' : 'withdraw'} authority of ${who(data.stakeAccount)}.`;
    case 'memo':
      return data.text === null
        ? 'Carries a memo that is not text.'
        : `Carries the memo ${JSON.stringify(data.text)}.`;
    case 'computeBudget.setComputeUnitLimit':
      return `Limits the transaction to ${data.units} compute units.`;
    case 'computeBudget.setComputeUnitPrice':
      return `Offers a priority fee of ${data.microLamports} micro-lamports per compute unit.`;
    case 'lighthouse.assertion':
      return 'Makes the transaction fail if an account is not as the wallet expects it; changes nothing.';
    case 'precompile.verify':
      return `Has the network check ${data.signatures} signatures, each for the price of one.`;
    case 'other':
      return `Runs ${name === 'unknown' ? 'an instruction' : name} of program ${program}.`;
  }
};

const lockupWords = ({ unixTimestamp, epoch }: { unixTimestamp: bigint; epoch: bigint }): string =>
  unixTimestamp === 0n && epoch === 0n
    ? 'with no lockup'
    : `locked until Unix time ${unixTimestamp} and epoch ${epoch}`;
