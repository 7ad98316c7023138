// Who wants to be told what, and where: registrations of callbacks, kept until 30 days after they were deleted.
import type { DisabledReason, EventType } from '../domain/notification.ts';
import type { NewEvent } from './outbox/outbox.ts';

/** `events`: registered by anybody for a wallet. `autopilot`: the callback of the wallet's signed policy; not listed, not counted by the caps. */
export type RegistrationKind = 'events' | 'autopilot';

/** A registration. Its secret is not here: it is derived from the server secret, its id and `secretGeneration`. */
export interface Registration {
  /** 128 random bits, 32 lower-case hexadecimal characters. */
  readonly id: string;
  readonly kind: RegistrationKind;
  readonly walletAddress: string;
  /** WHATWG href. */
  readonly callbackUrl: string;
  /** In the order of `eventTypes`; empty for `autopilot`. */
  readonly events: readonly EventType[];
  readonly createdAtMs: number;
  /** Where the chain stood: nothing from before is told. */
  readonly createdEpoch: bigint;
  readonly createdSlot: bigint;
  /** The network it came from, as the rate limit counts it. */
  readonly client: string;
  /** Counts from 0; each rotation adds one. */
  readonly secretGeneration: number;
  /** When the newest generation began; the one before signs beside it for 24 hours. Null before the first rotation. */
  readonly rotatedAtMs: number | null;
  /** When a delivery was last accepted (2xx). */
  readonly lastDeliveryAtMs: number | null;
  /** Since when every attempt has failed; null while the last one succeeded or none was made. */
  readonly failingSinceMs: number | null;
  /** Null while active. */
  readonly disabledReason: DisabledReason | null;
  readonly deletedAtMs: number | null;
  /** No ping was answered 2xx yet: nothing else is sent, and facts wait. */
  readonly awaitsAnswer: boolean;
  /** It was restored with its secret: only its secret deletes it. */
  readonly secretDeletes: boolean;
}

/** What a new registration is made from; the rest begins at nothing. */
export type NewRegistration = Pick<
  Registration,
  | 'id'
  | 'kind'
  | 'walletAddress'
  | 'callbackUrl'
  | 'events'
  | 'createdAtMs'
  | 'createdEpoch'
  | 'createdSlot'
  | 'client'
>;

/** Most registrations that may exist at once or were made within 24 hours, deleted ones included; an absent cap is none. */
export interface RegistrationCaps {
  /** Of one wallet from one client network. */
  readonly perWalletAndClient: number;
  /** Of one client network. */
  readonly perClient: number;
  /** Of the IPv6 /48 that the client is in. */
  readonly perSite?: number;
  /** Made within 24 hours for one callback host that has not answered them yet. */
  readonly perHost?: number;
  /** Of all. */
  readonly inAll?: number;
}

/** Durable registrations. Every write is on disk when its promise resolves. All reject with `STORE_UNAVAILABLE`. */
export interface Webhooks {
  /** Counts and inserts in one transaction, so that concurrent registrations cannot pass a cap together. `limit` names the cap that was met, `known`: the id is taken; nothing was written then. `autopilot` is neither counted nor limited. With `ping`, which is recorded in the same transaction, nothing else is sent before a ping was answered 2xx. */
  readonly register: (
    registration: NewRegistration,
    caps: RegistrationCaps,
    ping?: NewEvent,
  ) => Promise<
    | { readonly outcome: 'registered' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | { readonly outcome: 'known' }
  >;
  /** Also deleted ones. */
  readonly find: (id: string) => Promise<Registration | null>;
  /** Not deleted, kind `events`, oldest first, at most `limit` after the one that was made at `after.atMs` under `after.id`. */
  readonly ofWallet: (
    walletAddress: string,
    page: { readonly after: { readonly atMs: number; readonly id: string } | null; readonly limit: number },
  ) => Promise<readonly Registration[]>;
  /** Kind `events`, at most `limit` after `afterId`, by id: what the watcher looks at, also disabled ones and deleted ones that once answered, since they may come back. */
  readonly page: (afterId: string | null, limit: number) => Promise<readonly Registration[]>;
  /** Returns the registration as it is now; null when none of that id exists. */
  readonly rotate: (id: string, nowMs: number) => Promise<Registration | null>;
  /** Active again, and not failing any more. */
  readonly enable: (id: string) => Promise<void>;
  /** Notes deletion (idempotent: the first time stands), and in the same transaction what is told of it. False when none of that id exists. */
  readonly delete: (id: string, nowMs: number, farewell?: NewEvent) => Promise<boolean>;
  /** Undoes a deletion, within the same caps: what came about meanwhile is due now, and from then on only the secret deletes it. Null: nothing of that id. */
  readonly restore: (
    id: string,
    caps: RegistrationCaps,
    nowMs: number,
  ) => Promise<
    | { readonly outcome: 'restored' }
    | { readonly outcome: 'limit'; readonly limit: keyof RegistrationCaps }
    | null
  >;
  /** Those that await an answer and were never sent a ping, at most `limit`: registered by versions before 0.2. */
  readonly unasked: (limit: number) => Promise<readonly Registration[]>;
  /** Forgets those deleted before, with everything kept for them, a few hundred rows at a time. Returns how many went. */
  readonly forgetDeletedBefore: (deletedBeforeMs: number) => Promise<number>;
}
