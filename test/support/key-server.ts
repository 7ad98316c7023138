// A minimal one-shot server for the memory test. `careful` handles the key as the service does, `naive` like
// code that ignores the problem.
import { createPrivateKey, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, getBase58Encoder } from '@solana/kit';
import { collectBody, extractSecretKey } from '../../src/adapter/extract-secret-key.ts';
import { WalletKey } from '../../src/chain/transactions/signer.ts';

const message = Buffer.alloc(423, 7);

const careful = async (request: IncomingMessage): Promise<string> => {
  const body = await collectBody(request, 65_536);
  const { secret } = extractSecretKey(body);
  const { walletAddress } = JSON.parse(body.toString()) as { walletAddress: Address };
  using key = WalletKey.open(secret!, walletAddress);
  // The real operation also sends requests between opening the key and signing with it.
  await new Promise((resolve) => setTimeout(resolve, 2));
  return Buffer.from(key.sign(message)).toString('base64');
};

const naive = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { secretKey } = JSON.parse(text) as { secretKey: string };
  const seed = getBase58Encoder().encode(secretKey).slice(0, 32);
  const key = createPrivateKey({ format: 'raw-private', key: seed, asymmetricKeyType: 'ed25519' } as never);
  await new Promise((resolve) => setTimeout(resolve, 2));
  return sign(null, message, key).toString('base64');
};

const handle = process.argv[2] === 'naive' ? naive : careful;

const server = createServer((request, response) => {
  handle(request).then(
    (signature) => response.end(signature),
    () => response.writeHead(500).end(),
  );
});
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
