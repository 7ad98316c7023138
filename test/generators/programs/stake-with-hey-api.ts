// Stakes 2 SOL with the client that @hey-api/openapi-ts generates from the OpenAPI document.
import { client } from './hey-api/client.gen.ts';
import {
  createStakeTransaction,
  listStakeAccounts,
  sandboxAirdrop,
  submitTransaction,
} from './hey-api/sdk.gen.ts';
import { createWallet } from './sign-with-node.ts';

client.setConfig({ baseUrl: process.argv[2]! });
const wallet = createWallet();

await sandboxAirdrop({ body: { walletAddress: wallet.address, amountSol: 10 }, throwOnError: true });
const { data: built } = await createStakeTransaction({
  body: { walletAddress: wallet.address, amountSol: 2 },
  throwOnError: true,
});
const version: 0 | 1 | 'legacy' = built.transactionVersion;
await submitTransaction({ body: { signedTransaction: wallet.sign(built.transaction) }, throwOnError: true });
const { data: list } = await listStakeAccounts({
  path: { walletAddress: wallet.address },
  throwOnError: true,
});
console.log(JSON.stringify({ version, accounts: list.accounts.length }));
