// Runs a sandbox in a separate process with thousands of stake accounts, prints its description as one line of
// JSON, and ends when its stdin is closed.
import { createHash } from 'node:crypto';
import { decodeAddress, encodeBase58 } from '../../sandbox/base58.ts';
import { STAKE_PROGRAM } from '../../sandbox/epochs/delegation-bytes.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';

const [accounts, epochSeconds, accountsEach] = process.argv.slice(2).map(Number);
const sandbox = await startSandbox({ slotMs: 400, epochSeconds: epochSeconds! });
const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const voter = decodeAddress(sandbox.voteAccount)!;
for (let index = 0; index < accounts!; index += 1) {
  const data = Buffer.alloc(200);
  const wallet = hashOf(`wallet ${Math.floor(index / accountsEach!)}`);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(2_282_880n, 4);
  data.set(wallet, 12);
  data.set(wallet, 44);
  data.set(voter, 124);
  data.writeBigUInt64LE(10_000_000_000n, 156);
  // Delegated before the stake history starts, so it is active.
  data.writeBigUInt64LE(100n, 164);
  data.writeBigUInt64LE(2n ** 64n - 1n, 172);
  await sandbox.setAccount({
    address: encodeBase58(hashOf(`stake ${index}`)),
    lamports: 10_001_666_240n,
    data,
    owner: STAKE_PROGRAM,
  });
}
console.log(JSON.stringify({ ...sandbox.state(), wallet: encodeBase58(hashOf('wallet 0')) }));
process.stdin.on('end', () => process.exit(0)).resume();
