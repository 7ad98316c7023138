// A program that signs within a policy with the real signing flow, and is killed where its orders say so. Its
// only argument is JSON: { policyPath, logPath, clockMs, orders: [{ sol, account, blockhash, kill }] }.
import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { signAndSubmit } from '../../cli/act/sign-and-submit.ts';
import { createSignatureLedger } from '../../cli/act/signature-ledger.ts';
import { readPolicy } from '../../cli/policy/policy-file.ts';
import { createPolicyGuard } from '../../cli/policy/policy-guard.ts';
import { PolicyRefused } from '../../cli/policy/policy-refused.ts';
import type { BuiltTransaction, StakingService } from '../../client/staking/staking-request.ts';
import { built, signer, VOTE_ACCOUNT } from './honest-responses.ts';
import { addressOf, SOL, SUBJECT, stakeAct } from './policy-acts.ts';

export interface SignerOrder {
  readonly sol: number;
  readonly account: number;
  readonly blockhash: number;
  /** Kills the program with SIGKILL before or after the key signs. */
  readonly kill?: 'before' | 'after' | undefined;
}

/** A log line, written when the key is about to sign and again when it has signed. */
export interface SignerLine {
  readonly event: 'signing' | 'signed' | 'refused';
  readonly sol: number;
  readonly account: number;
  readonly code?: string;
}

interface Orders {
  readonly policyPath: string;
  readonly logPath: string;
  readonly clockMs: number;
  readonly orders: readonly SignerOrder[];
}

const { policyPath, logPath, clockMs, orders } = JSON.parse(process.argv[2]!) as Orders;

const log = (line: SignerLine): void => {
  const file = openSync(logPath, 'a');
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
  closeSync(file);
};

const startMs = performance.now();
const guard = createPolicyGuard(readPolicy(policyPath), {
  now: () => clockMs + (performance.now() - startMs),
});
const ledger = createSignatureLedger({ XDG_CONFIG_HOME: dirname(policyPath) }, 'https://service.example');

for (const { sol, account, blockhash, kill } of orders) {
  const { request, transaction } = stakeAct(BigInt(sol) * SOL, addressOf(account), blockhash);
  const service: StakingService = {
    build: async () => built(transaction) as BuiltTransaction,
    submit: async () => ({ signature: 'landed' }),
    stateOf: () => Promise.reject(new Error('not asked')),
    blockHeight: async () => 0,
  };
  try {
    await signAndSubmit(service, request, {
      binding: { voteAccount: VOTE_ACCOUNT },
      idempotencyKey: `key ${account} ${sol}`,
      ledger,
      policy: { guard, subject: SUBJECT, ask: undefined },
      sign: (message) => {
        if (kill === 'before') {
          log({ event: 'signing', sol, account });
          process.kill(process.pid, 'SIGKILL');
        }
        const signature = signer.sign(message);
        log({ event: 'signed', sol, account });
        if (kill === 'after') process.kill(process.pid, 'SIGKILL');
        return signature;
      },
      approve: async () => 'sign',
      now: () => performance.now(),
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (!(error instanceof PolicyRefused)) throw error;
    log({ event: 'refused', sol, account, code: error.code });
  }
}
