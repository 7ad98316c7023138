// The validator's picture as this service serves it; a pattern made from its address where there is none.
import { useState } from 'react';
import { Identicon } from './identicon.tsx';

/** `size` in CSS pixels. Never loads from anywhere but this service. */
export const ValidatorIcon = ({ voteAccount, size = 40 }: { voteAccount: string; size?: number }) => {
  const [absent, setAbsent] = useState(false);
  if (absent) return <Identicon address={voteAccount} size={size} />;
  return (
    <img
      src="/icon"
      alt=""
      width={size}
      height={size}
      style={{ borderRadius: size / 4, objectFit: 'cover' }}
      onError={() => setAbsent(true)}
    />
  );
};
