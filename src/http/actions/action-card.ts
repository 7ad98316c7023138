// Builds an Action's card: title, inputs, and the reason if the Action is unavailable.
import type { ActionGetResponse, LinkedAction, TypedActionParameter } from '@solana/actions-spec';
import type { Address } from '@solana/kit';
import { minimumStakeLamports } from '../../chain/cluster/minimum-delegation.ts';
import { formatSol } from '../../domain/lamports.ts';
import { criticalNotice } from '../../domain/notice.ts';
import { atLeastApy } from '../../domain/validator/realized-apy.ts';
import { isAppError } from '../../kernel/app-error.ts';
import { JsonNumber } from '../../kernel/json-number.ts';
import type { Context } from '../../operations/context.ts';
import { ICON_PATH } from '../routes/discovery-routes.ts';
import { type Action, actionPath } from '../routes/transaction-builders.ts';
import {
  type ActionDependencies,
  accountParameter,
  addressParameter,
  amountParameter,
  amountRange,
} from './action-parameters.ts';

/** The Action and the contents of its link. */
interface CardRequest {
  readonly action: Action;
  /** Fields that the link already sets. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The wallet, if the link names one. Clients do not send the wallet when they request a card. */
  readonly account: Address | undefined;
}

interface Offer {
  readonly parameters: readonly TypedActionParameter[];
  readonly minSol: number;
  /** The reason why the action is currently unavailable. */
  readonly obstacle?: string;
}

const UNREACHABLE = 'The cluster cannot be reached right now. Try again shortly.';
const FREEZE =
  'Rewards of the last epoch are being distributed. The Stake program accepts no instructions until that is done. Try again shortly.';

const blocked = (obstacle: string): Offer => ({ parameters: [], minSol: 0, obstacle });

const smallestSol = async (action: Action, { ctx, signal }: ActionDependencies): Promise<number> =>
  action.name === 'stake'
    ? Number(formatSol(minimumStakeLamports(await ctx.chain.cluster.limits(signal))))
    : amountRange(action).minSol;

const offer = async ({ action, given, account }: CardRequest, around: ActionDependencies): Promise<Offer> => {
  const asksFor = (name: string): boolean => action.members.includes(name) && !Object.hasOwn(given, name);
  if (action.usesStakeProgram) {
    const { epochRewardsActive } = await around.ctx.chain.cluster.recentEpochPosition(around.signal);
    if (epochRewardsActive) return blocked(FREEZE);
  }
  const parameters: TypedActionParameter[] = [];
  let partialMaxSol: number | undefined;
  if (asksFor('stakeAccountAddress') && account === undefined) parameters.push(addressParameter());
  else if (asksFor('stakeAccountAddress')) {
    const chosen = await accountParameter(action, account!, around);
    if (chosen === null)
      return blocked(`This wallet has no stake account with this validator to ${action.name} now.`);
    parameters.push(chosen.parameter);
    ({ partialMaxSol } = chosen);
  }
  if (!asksFor('amountSol')) return { parameters, minSol: 0 };
  const minSol = await smallestSol(action, around);
  return { parameters: [...parameters, amountParameter(action, minSol, partialMaxSol)], minSol };
};

const textOf = (value: unknown): string => (value instanceof JsonNumber ? value.literal : String(value));

const hrefOf = ({ name }: Action, members: Readonly<Record<string, string>>): string => {
  const query = Object.entries(members).map(([member, value]) => `${member}=${value}`);
  return query.length === 0 ? actionPath(name) : `${actionPath(name)}?${query.join('&')}`;
};

const linkedActions = ({ action, given }: CardRequest, { parameters, minSol }: Offer): LinkedAction[] => {
  const decided = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, encodeURIComponent(textOf(value))]),
  );
  const open = Object.fromEntries(parameters.map(({ name }) => [name, `{${name}}`]));
  const { verb, label } = action;
  const presets = 'amountSol' in open ? action.presetsSol.filter((sol) => sol >= minSol) : [];
  return [
    ...presets.map((sol) => ({
      type: 'transaction' as const,
      href: hrefOf(action, { ...decided, amountSol: String(sol) }),
      label: `${verb} ${sol} SOL`,
    })),
    {
      type: 'transaction',
      href: hrefOf(action, { ...decided, ...open }),
      label: given.amountSol === undefined ? label : `${verb} ${textOf(given.amountSol)} SOL`,
      ...(parameters.length > 0 ? { parameters: [...parameters] } : {}),
    },
  ];
};

export const actionTexts = (
  action: Action,
  ctx: { readonly service: Pick<Context['service'], 'publicUrl'> },
) => ({
  icon: `${ctx.service.publicUrl()}${ICON_PATH}`,
  title: action.title,
  description: action.description,
  label: action.label,
});

// Appends the recent yield, rounded because it is only an estimate.
const describeStake = (
  { description }: Action,
  { service: { settings }, validator: { status: validatorStatus } }: Context,
): string => {
  const isFailing = criticalNotice(validatorStatus.notices()) !== undefined;
  const apy = isFailing ? undefined : validatorStatus.current()?.apy?.apy;
  const atLeast = apy ? atLeastApy(apy) : null;
  const figure = `${atLeast?.toFixed(2)}% a year${apy?.totalApy == null ? ', excluding tips' : ''}`;
  const recent =
    atLeast === null
      ? ''
      : ` Recent yield: ${apy?.totalApy == null ? 'at least' : 'about'} ${figure} (not guaranteed).`;
  return `${description} Vote account: ${settings.voteAccount}.${recent}`;
};

/**
 * Builds the response to a GET. If the Action is currently impossible or the chain cannot be read, the card
 * says so. Throws only for errors in the link.
 */
export const createActionCard = async (
  request: CardRequest,
  around: ActionDependencies,
): Promise<ActionGetResponse> => {
  const { action } = request;
  const { ctx } = around;
  const face = {
    type: 'action' as const,
    ...actionTexts(action, ctx),
    ...(action.name === 'stake' ? { description: describeStake(action, ctx) } : {}),
  };
  const offered = await offer(request, around).catch((error: unknown) => {
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
    return blocked(UNREACHABLE);
  });
  // If a card has links, clients show only those. Without links, they show one button, which is disabled for an
  // unavailable Action.
  if (offered.obstacle !== undefined)
    return { ...face, disabled: true, error: { message: offered.obstacle } };
  const warnings = action.name === 'stake' ? ctx.validator.status.warnings() : [];
  return {
    ...face,
    links: { actions: linkedActions(request, offered) },
    ...(warnings.length > 0 ? { error: { message: warnings.join(' ') } } : {}),
  };
};
