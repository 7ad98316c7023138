// CPU time of a complete unsigned stake request over HTTP: the real service compared with a bare handler that
// makes the same upstream call, each in its own process, interleaved.
import { startSandbox } from '../sandbox/sandbox.ts';
import { fundedWallet } from '../test/support/wallets.ts';
import type { BenchRow } from './benchmark-row.ts';
import { type BenchRequest, measureBoth, startMeasuredServer } from './measured-server.ts';

/** Length of the measurement. Default: 9 rounds of 640 requests per contestant. */
interface UnsignedStakeOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

const GOAL = 1.6;

/** Measures both servers, alternating between them. */
export const benchUnsignedStake = async ({
  rounds = 9,
  requestsPerRound = 640,
}: UnsignedStakeOptions = {}): Promise<BenchRow> => {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.adopt(await startSandbox({ epochSeconds: 0 }), (it) => it.close());
  const { walletAddress } = await fundedWallet(sandbox, 100);
  const { rpcUrl, wsUrl, voteAccount, donationAddress } = sandbox;
  const start = async (contestant: string) =>
    stack.use(
      await startMeasuredServer(
        'unsigned-stake-server.ts',
        ...[contestant, rpcUrl, wsUrl, voteAccount, donationAddress],
      ),
    );
  const [control, service] = [await start('control'), await start('service')];
  const request = (): BenchRequest => ({
    path: '/api/v1/stake/transaction',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress, amountSol: 2 }),
  });
  for (const contestant of [control, service]) await contestant.ask(requestsPerRound * 3, request);
  return {
    path: 'unsigned stake over HTTP, whole request CPU',
    control: 'bare node:http, one undici call to the same RPC, keygen + sign + patch + base64',
    ...(await measureBoth({ control, service }, { rounds, requestsPerRound }, request, GOAL)),
  };
};
