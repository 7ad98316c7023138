// Stakes 2 SOL with the client that openapi-typescript and openapi-fetch generate from the OpenAPI document.
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.ts';
import { createWallet } from './sign-with-node.ts';

const client = createClient<paths>({ baseUrl: process.argv[2]! });
const wallet = createWallet();

const airdrop = await client.POST('/sandbox/airdrop', {
  body: { walletAddress: wallet.address, amountSol: 10 },
});
if (airdrop.error !== undefined) throw new Error(airdrop.error.message);
const built = await client.POST('/api/v1/stake/transaction', {
  body: { walletAddress: wallet.address, amountSol: 2 },
});
if (built.error !== undefined) throw new Error(built.error.message);
const version: 0 | 1 | 'legacy' = built.data.transactionVersion;
const submitted = await client.POST('/api/v1/transaction/submit', {
  body: { signedTransaction: wallet.sign(built.data.transaction) },
});
if (submitted.error !== undefined) throw new Error(submitted.error.message);
const accounts = await client.GET('/api/v1/stake/accounts/{walletAddress}', {
  params: { path: { walletAddress: wallet.address } },
});
console.log(JSON.stringify({ version, accounts: accounts.data?.accounts.length }));
