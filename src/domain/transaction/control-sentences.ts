// Describes who can do what with stake whose stake authority is not its owner.
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import { formatSol } from '../lamports.ts';
import type { Recognized } from './stake-verifier.ts';
import type { RecognizedKind } from './transaction-kinds.ts';

const EFFECTS: Partial<Record<RecognizedKind, readonly [code: string, text: string]>> = {
  unstake: ['DEACTIVATES_FOR_OWNER', 'It deactivates the stake {stakeAccount}, and does nothing else.'],
  restake: [
    'DELEGATES_FOR_OWNER',
    'It delegates the stake account {stakeAccount} to {voteAccount}, and does nothing else.',
  ],
  rearrange: [
    'CHANGES_FOR_OWNER',
    'It splits, merges, moves, deactivates or delegates stake, and does nothing else.',
  ],
};

/** Describes the effect of a transaction that a key signs only as the stake authority. */
export const stakeAuthoritySentences = ({
  kind,
  wallet,
  stakeAccount,
  voteAccount,
  effects,
}: Recognized): readonly Sentence[] => {
  const [code, text] = EFFECTS[kind]!;
  const rentLamports = effects?.rentLamports ?? 0n;
  return [
    sentence(code, text, {
      ...(stakeAccount !== undefined && { stakeAccount }),
      ...(voteAccount !== undefined && { voteAccount }),
    }),
    ...(rentLamports > 0n
      ? [
          sentence(
            'PAYS_RENT_FOR_OWNER',
            '{wallet} pays {amountSol} SOL of rent for new accounts. Only the owner can get it back.',
            { wallet, amountSol: formatSol(rentLamports) },
          ),
        ]
      : []),
  ];
};

/** Describes who can do what afterwards. Returns an empty list if the wallet holds both authorities. */
export const controlSentences = ({
  wallet,
  owner,
  stakeAuthority,
}: Pick<Recognized, 'wallet' | 'owner' | 'stakeAuthority'>): readonly Sentence[] => [
  ...(stakeAuthority === undefined
    ? []
    : [
        sentence(
          'STAKE_AUTHORITY_GIVEN',
          'Afterwards, {stakeAuthority} can unstake and redelegate this stake, but cannot take anything out. Only {wallet} can withdraw.',
          { stakeAuthority, wallet },
        ),
      ]),
  ...(owner === undefined
    ? []
    : [
        sentence(
          'STAKE_AUTHORITY_ONLY',
          '{wallet} signs only as stake authority: it can unstake and redelegate, but cannot take anything out. Only the withdraw authority can; you named {owner}.',
          { wallet, owner },
        ),
      ]),
];
