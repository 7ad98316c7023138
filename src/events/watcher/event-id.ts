// The id of an event: the same fact for the same registration has the same id in every process and after every restart.
import { createHash } from 'node:crypto';
import type { NotificationType } from '../../domain/notification.ts';
import { lengthPrefixed } from '../../kernel/length-prefixed.ts';

/** What makes an event one and no other. */
export interface EventIdentity {
  readonly genesisHash: string;
  readonly registrationId: string;
  readonly type: NotificationType;
  /** What happened, in the words of its type, e.g. `<account> <activation epoch>`. */
  readonly fact: string;
}

/** `evt_` and 128 bits of SHA-256 in hexadecimal: 36 characters. */
export const eventIdOf = ({ genesisHash, registrationId, type, fact }: EventIdentity): string =>
  `evt_${createHash('sha256')
    .update(lengthPrefixed(['holdfast event', genesisHash, registrationId, type, fact]))
    .digest('hex')
    .slice(0, 32)}`;
