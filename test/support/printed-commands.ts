// Runs the printed command of every operation in a shell against a running service, with the reader's own
// values and in an order in which each command works.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { eventTypes, type NotificationType } from '../../src/domain/notification-types.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { outlive } from './expired-transactions.ts';
import { patience } from './patience.ts';
import type { Receiver } from './receiver.ts';
import type { SharedService } from './service-fixture.ts';
import { fundedWallet, signedBy } from './wallets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

const execute = promisify(execFile);

/** Runs `command` in a shell. Returns the status and body of the response. */
export const runCommand = async (command: string): Promise<{ status: number; body: Json; text: string }> => {
  const { stdout } = await execute('sh', ['-c', `${command} -w '\n%{http_code}'`]);
  const at = stdout.lastIndexOf('\n');
  const text = stdout.slice(0, at);
  return { status: Number(stdout.slice(at + 1)), text, body: text.startsWith('{') ? JSON.parse(text) : null };
};

/** Events of the stake's lifecycle, for which `runAll` can wait. */
const LIFE_EVENTS = ['withdraw_ready', 'epoch_complete', 'stake_activated', 'stake_deactivated'] as const;

// These run last and in this order, because later commands use the results of earlier ones.
const LAST = [
  ...[
    'stake',
    'createStakeTransaction',
    'verifyStakeTransaction',
    'rebuildTransaction',
    'attachSignatures',
    'submitTransaction',
  ],
  ...['transactionState', 'transactionByKey', 'readSignLink'],
  ...['verifyTransaction', 'createUnstakeTransaction', 'previewUnstake', 'planStakeChange', 'unstake'],
  ...['createUndoTransaction', 'createWithdrawTransaction'],
  ...['createRestakeTransaction', 'withdraw'],
  ...['registerWebhook', 'listWebhooks', 'listDeliveries', 'pingWebhook', 'replayDeliveries'],
  ...['rotateWebhookSecret', 'deleteWebhook', 'restoreWebhook'],
  ...['setStakingPolicy', 'getStakingPolicy', 'deleteStakingPolicy'],
];

interface CommandResponse {
  readonly operation: string;
  /** The command as it was run. */
  readonly command: string;
  readonly status: number;
  /** The body, or null if the response is not a JSON object. */
  readonly body: Json;
  readonly text: string;
}

export interface PrintedCommands {
  /** Commands by operation, from the text for language models. The reference page has the same ones. */
  readonly commands: ReadonlyMap<string, string>;
  /** The reader's own values, by placeholder. */
  readonly own: Readonly<Record<string, string>>;
  readonly filled: (command: string) => string;
  /**
   * Runs all commands in sequence, and waits for the webhook deliveries of each before the next. If
   * `waitsForEvents` is set, finally waits for the stake's events.
   */
  readonly runAll: (
    onResponse: (response: CommandResponse) => void,
    waitsForEvents?: boolean,
  ) => Promise<void>;
}

export const commandsOf = async (serviceUrl: string): Promise<ReadonlyMap<string, string>> => {
  const text = await (await fetch(`${serviceUrl}/llms-full.txt`)).text();
  return new Map(
    [...text.matchAll(/\(operation `(\w+)`, \w+\)[\s\S]*?Example:\n\n```sh\n([\s\S]*?)\n```/g)].map(
      ([, name, command]) => [name!, command!],
    ),
  );
};

/** Reads the commands that the service prints, for a new funded wallet. Deliveries go to `receiver`. */
export const printedCommands = async (
  { service, sandbox }: SharedService,
  receiver: Receiver,
): Promise<PrintedCommands> => {
  const commands = await commandsOf(service.url);
  const wallet = await fundedWallet(sandbox, 50);
  const own: Record<string, string> = {
    WALLET_ADDRESS: wallet.walletAddress,
    ADDRESS: wallet.walletAddress,
    SECRET_KEY: wallet.secretKey,
    FROM: new Date(Date.now() - 3_600_000).toISOString(),
  };
  const callback = `${receiver.url}/holdfast`;
  const filled = (command: string): string =>
    command.replaceAll('https://example.com/holdfast', callback).replaceAll(/<([A-Z_]+)>/g, (_all, name) => {
      assert.ok(own[name], `the test has a value for ${name}`);
      return own[name]!;
    });
  const signPolicy = async (command: string): Promise<void> => {
    own.NONCE = String(Number(own.NONCE ?? 0) + 1);
    own.SIGNATURE = '1'.repeat(64);
    const { body, text } = await runCommand(filled(command));
    assert.ok(body?.textToSign, text);
    own.SIGNATURE = encodeBase58(wallet.sign(Buffer.from(body.textToSign)));
  };
  let built = { lastValidBlockHeight: 0 };
  const keepTransaction = (body: Json): void => {
    built = body;
    own.TRANSACTION = body.transaction;
    own.SIGNED_TRANSACTION = signedBy(wallet, body.transaction);
  };
  /** Prepares a command as a reader would. */
  const preparations: Readonly<Record<string, (command: string) => Promise<void>>> = {
    advanceNonceTransaction: async () =>
      void (await service.client.post('/api/v1/transaction/submit', {
        signedTransaction: own.SIGNED_TRANSACTION,
      })),
    rebuildTransaction: () => outlive({ service, sandbox }, built),
    createUnstakeTransaction: async () => void (await sandbox.advanceEpochs(1)),
    createWithdrawTransaction: async () => void (await sandbox.advanceEpochs(1)),
    setStakingPolicy: signPolicy,
    deleteStakingPolicy: signPolicy,
  };
  /** Returns the values that a reader keeps from the response. */
  const keep: Readonly<Record<string, (body: Json) => void>> = {
    stake: ({ stakeAccountAddress }) => {
      own.STAKE_ACCOUNT_ADDRESS = stakeAccountAddress;
    },
    createStakeTransaction: (body) => {
      own.IDEMPOTENCY_KEY = body.idempotencyKey;
      own.SIGN_LINK = new URL(body.signUrl).searchParams.get('request')!;
      keepTransaction(body);
    },
    createNonceTransaction: (body) => {
      own.NONCE_ACCOUNT_ADDRESS = body.nonceAccountAddress;
      keepTransaction(body);
    },
    rebuildTransaction: keepTransaction,
    submitTransaction: ({ signature }) => {
      own.SIGNATURE = signature;
    },
    registerWebhook: ({ id, secret }) => Object.assign(own, { WEBHOOK_ID: id, SECRET: secret }),
    rotateWebhookSecret: ({ secret }) => {
      own.SECRET = secret;
    },
  };

  /** Resolves when a delivery of `type` has arrived. */
  const delivered = async (type: NotificationType): Promise<void> => {
    const signal = patience();
    for (let count = 1; ; count += 1) {
      if (receiver.received.some(({ body }) => JSON.parse(body).type === type)) return;
      await Promise.race([receiver.got(count), once(signal, 'abort')]);
      assert.ok(!signal.aborted, `${type} was delivered`);
    }
  };
  /** Deliveries that a later command would prevent, and which must therefore arrive first. */
  const awaited: Readonly<Record<string, NotificationType>> = {
    pingWebhook: 'ping',
    deleteWebhook: 'registration_deleted',
    setStakingPolicy: 'autopilot_sweep',
  };
  return {
    commands,
    own,
    filled,
    runAll: async (onResponse, waitsForEvents = false) => {
      await service.client.post('/api/v1/webhooks', {
        walletAddress: wallet.walletAddress,
        callbackUrl: callback,
        events: eventTypes,
      });
      const first = [...commands.keys()].filter((name) => !LAST.includes(name));
      for (const operation of [...first, ...LAST]) {
        const printed = commands.get(operation)!;
        await preparations[operation]?.(printed);
        const command = filled(printed);
        const response = await runCommand(command);
        onResponse({ operation, command, ...response });
        keep[operation]?.(response.body);
        if (awaited[operation] !== undefined) await delivered(awaited[operation]);
      }
      if (waitsForEvents) for (const type of LIFE_EVENTS) await delivered(type);
    },
  };
};
