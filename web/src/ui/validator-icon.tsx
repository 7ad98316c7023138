// The validator's picture as served by this service, or a pattern derived from its address.
import { useState } from 'react';
import { Identicon } from './identicon.tsx';

/** `size` is in CSS pixels. The picture is loaded only from this service. */
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
