// Reads a validator's self-description from the chain: the validator info that its identity signed into the
// Config program.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { ReadOptions } from '../ports.ts';
import { readConfig } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { programAccountsSchema } from '../rpc/rpc-schemas.ts';

const CONFIG_PROGRAM = 'Config1111111111111111111111111111111111111';
/** First key of every validator info account. */
const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111';

// Layout: a one-byte count, two keys each followed by a signed flag, then a text preceded by its length.
const FIRST_KEY_AT = 1;
const IDENTITY_AT = 34;
const IDENTITY_SIGNED_AT = 66;
const LENGTH_AT = 67;
const TEXT_AT = 75;

const infoSchema = z.record(z.string(), z.unknown());

/**
 * Fields of the validator info under their original names (`name`, `website`, `details`, `iconUrl`, …).
 * Anyone can write any content.
 */
export type ValidatorInfo = z.output<typeof infoSchema>;

/**
 * Parses a validator info account. Returns null if it is not signed by the identity, because anyone can write
 * an account that only names an identity.
 */
export const decodeValidatorInfo = (data: Uint8Array): ValidatorInfo | null => {
  const bytes = Buffer.from(data);
  if (bytes.length < TEXT_AT || bytes[0] !== 2 || bytes[IDENTITY_SIGNED_AT] !== 1) return null;
  const length = bytes.readBigUInt64LE(LENGTH_AT);
  if (length > BigInt(bytes.length - TEXT_AT)) return null;
  try {
    const info = infoSchema.safeParse(
      JSON.parse(bytes.subarray(TEXT_AT, TEXT_AT + Number(length)).toString('utf8')),
    );
    return info.success ? info.data : null;
  } catch {
    return null;
  }
};

/**
 * Reads the validator info that an identity has published; null if there is none. Makes one scan of a small
 * program. Throws `AppError('UPSTREAM_UNAVAILABLE')` if no node responds.
 */
export const readValidatorInfo = async (
  pool: RpcPool,
  identity: Address,
  options: ReadOptions,
): Promise<ValidatorInfo | null> => {
  try {
    const { value } = await pool.call(
      {
        method: 'getProgramAccounts',
        params: [
          CONFIG_PROGRAM,
          {
            ...readConfig(options),
            encoding: 'base64',
            withContext: true,
            filters: [
              { memcmp: { offset: FIRST_KEY_AT, bytes: VALIDATOR_INFO } },
              { memcmp: { offset: IDENTITY_AT, bytes: identity } },
            ],
          },
        ],
        schema: programAccountsSchema,
        slotOf: ({ context }) => context.slot,
      },
      options,
    );
    const said = value
      .filter(({ account }) => account.owner === CONFIG_PROGRAM)
      .map(({ account }) => decodeValidatorInfo(account.data));
    return said.find((info) => info !== null) ?? null;
  } catch (error) {
    throw asUnavailable(error);
  }
};
