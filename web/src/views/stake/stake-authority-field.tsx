// The field for another stake authority of the new stake.
import { useEffect, useState } from 'react';
import { TextField } from '../../ui/controls/text-field.tsx';
import { defineWords } from '../../words/define-words.ts';
import { stakeAuthorityEnglish } from '../../words/en/stake-authority.ts';
import { type ReadStakeAuthority, readStakeAuthority } from './read-stake-authority.ts';

const { say } = defineWords('stakeAuthority', stakeAuthorityEnglish);

export const StakeAuthorityField = ({
  walletAddress,
  onRead,
}: {
  walletAddress: string | null;
  onRead: (read: ReadStakeAuthority) => void;
}) => {
  const [text, setText] = useState('');
  const { stakeAuthority, problem } = readStakeAuthority(text, walletAddress);
  // Reports the result again, because another wallet may be connected after the address was entered.
  useEffect(() => onRead({ stakeAuthority, problem }), [stakeAuthority, problem, onRead]);
  return (
    <TextField
      label={say('stakeAuthority')}
      mono
      value={text}
      onChange={setText}
      problem={problem === null ? null : say(problem)}
      hint={say('stakeAuthorityHint')}
    />
  );
};
