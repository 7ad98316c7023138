// Serves Solana Actions over HTTP: the Actions, their completions and `/actions.json`, each with the standard's
// headers on every response.
import type { ActionError, ActionsJson, TransactionResponse } from '@solana/actions-spec';
import {
  DATA_POLICY,
  type Exchange,
  JSON_TYPE,
  OTHER_PROTOCOL,
  type Target,
  UNCACHED_DATA_POLICY,
} from '../../adapter/exchange.ts';
import { expectsBody, readMembers } from '../../adapter/read-body.ts';
import type { AppError } from '../../kernel/app-error.ts';
import type { Context } from '../../operations/context.ts';
import type { Call } from '../../operations/operation.ts';
import { parseQuery } from '../pipeline/parse-query.ts';
import {
  ACTION_DONE_PATH,
  ACTION_PATH,
  type Action,
  actionPath,
  type Built,
  findAction,
} from '../routes/transaction-builders.ts';
import { createActionCard } from './action-card.ts';
import { createActionCompletion } from './action-completion.ts';
import { ACTION_PREFLIGHT, actionHeaders } from './action-headers.ts';
import { noSuchAction, readAccount, readActionInput, readQueryMembers } from './action-input.ts';

/** Builds the response to a POST. Rejects with the operation's errors. */
const createActionTransaction = async (
  action: Action,
  call: Call<Record<string, unknown>>,
): Promise<TransactionResponse> => {
  const { body } = await action.operation.run(call);
  const built = body as Built;
  return {
    type: 'transaction',
    transaction: built.transaction,
    message: [action.message(call.input, built), ...built.warnings].join(' '),
    // A relative URL, because the standard allows only the origin that the wallet called.
    links: { next: { type: 'post', href: ACTION_DONE_PATH.replace('{name}', action.name) } },
  };
};

const ACTIONS_JSON_PATH = '/actions.json';

/** Rules in `/actions.json`: the front page maps to staking, and each Action's path to itself. */
const RULES: ActionsJson = {
  rules: [
    { pathPattern: '/', apiPath: actionPath('stake') },
    { pathPattern: '/api/actions/**', apiPath: '/api/actions/**' },
  ],
};

const readBody = async (exchange: Exchange): Promise<Readonly<Record<string, unknown>>> => {
  if (!expectsBody(exchange.request)) return {};
  exchange.invite();
  using secrets = new DisposableStack();
  return (await readMembers(exchange.request, false, secrets)).body;
};

const idempotencyKeyOf = ({ request }: Exchange): string | undefined => {
  const value = request.headers['idempotency-key'];
  return typeof value === 'string' ? value : undefined;
};

const around = (ctx: Context, { client, signal }: Exchange) =>
  ({ ctx, signal, source: 'actions', client }) as const;

const card = (ctx: Context, action: Action, exchange: Exchange) => {
  const query = parseQuery(exchange.request.url ?? '', [...action.members, 'account']);
  const account = readAccount(query);
  const given = readQueryMembers(action, query);
  return createActionCard({ action, given, account }, around(ctx, exchange));
};

const transaction = async (ctx: Context, action: Action, exchange: Exchange) => {
  const query = parseQuery(exchange.request.url ?? '', action.members);
  const body = await readBody(exchange);
  const input = readActionInput(action, { query, body, idempotencyKey: idempotencyKeyOf(exchange) });
  return createActionTransaction(action, { ...around(ctx, exchange), input });
};

/** Builds an error body. The standard requires a human-readable `message`; `errorCode` is our addition. */
const errorBody = ({ message, code }: AppError): ActionError & { errorCode: string } => ({
  message,
  errorCode: code,
});

const answering =
  (response: (action: Action, exchange: Exchange) => Promise<unknown>) =>
  async (exchange: Exchange): Promise<void> => {
    const action = findAction(exchange.path.name);
    if (action === undefined) throw noSuchAction();
    const body = await response(action, exchange);
    exchange.send(200, JSON_TYPE, JSON.stringify(body), UNCACHED_DATA_POLICY);
  };

export const createActionTargets = (ctx: Context): readonly Target[] => {
  const shared = {
    limited: true,
    browsers: 'public',
    description: OTHER_PROTOCOL,
    corsHeaders: actionHeaders(ctx.chain.cluster.genesisHash),
    preflightHeaders: ACTION_PREFLIGHT,
    errorBody,
    isEndpoint: true,
  } as const;
  return [
    {
      ...shared,
      path: ACTIONS_JSON_PATH,
      methods: ['GET'],
      serve: (exchange) =>
        exchange.send(200, JSON_TYPE, JSON.stringify(RULES), [...DATA_POLICY, 'cache-control', 'no-cache']),
    },
    {
      ...shared,
      path: ACTION_PATH,
      methods: ['GET', 'POST'],
      serve: answering((action, exchange) =>
        exchange.request.method === 'POST' ? transaction(ctx, action, exchange) : card(ctx, action, exchange),
      ),
    },
    {
      ...shared,
      path: ACTION_DONE_PATH,
      methods: ['POST'],
      serve: answering(async (action, exchange) =>
        createActionCompletion(action, await readBody(exchange), around(ctx, exchange)),
      ),
    },
  ];
};
