// Airdrops lamports with real transfers, each with its own signature.

import { decodeAddress } from '../base58.ts';
import type { EpochEngine } from '../epochs/epoch-engine.ts';
import type { RuntimeClient } from '../runtime-client.ts';
import { sandboxKey } from '../sandbox-keys.ts';
import type { AccessGate } from './access-gate.ts';
import { computeUnitLimitInstruction, sendSigned, transferInstruction } from './legacy-transaction.ts';

/** Maximum airdrop: 1,000,000 SOL. */
const MAX_AIRDROP_LAMPORTS = 1_000_000_000_000_000n;

// The two instructions of an airdrop use 300 units.
const MIN_COMPUTE_UNITS = 10_000;
const COMPUTE_UNIT_VARIANTS = 1_000_000;

/**
 * Sends `lamports` to `wallet` and returns the signature, processed but not yet confirmed. @throws {RangeError}
 * if the amount is out of range.
 */
type FaucetTransfer = (wallet: string, lamports: bigint) => Promise<string>;

/** Creates the faucet of one sandbox. */
export function faucetTransfer(
  client: RuntimeClient,
  gate: AccessGate,
  engine: Pick<EpochEngine, 'noteChange'>,
): FaucetTransfer {
  const faucet = sandboxKey('faucet');
  let sent = 0;
  return async (wallet, lamports) => {
    if (decodeAddress(wallet) === null) throw new RangeError('The wallet is not a base58 address.');
    if (lamports < 1n || lamports > MAX_AIRDROP_LAMPORTS) {
      throw new RangeError('An airdrop must be between 1 lamport and 1,000,000 SOL.');
    }
    sent += 1;
    const units = MIN_COMPUTE_UNITS + (sent % COMPUTE_UNIT_VARIANTS);
    const leave = await gate.enter();
    engine.noteChange();
    try {
      return await sendSigned(
        client,
        [faucet],
        [computeUnitLimitInstruction(units), transferInstruction(faucet.address, wallet, lamports)],
      );
    } finally {
      leave();
    }
  };
}
