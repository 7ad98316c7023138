// Explains in sentences what the agent of a policy can and cannot do.
import { lamportsToSol } from '../../client/sol-amount.ts';
import { clusterNameOf } from '../../src/domain/public-clusters.ts';
import {
  AMOUNT_KINDS,
  type AmountKind,
  OPERATIONS,
  OPERATIONS_WITH,
  PERIODS,
  type Policy,
} from './policy-file.ts';
import { hoursText, PERIOD_NAMES } from './policy-limits.ts';

const AMOUNT_DESCRIPTIONS: Readonly<Record<AmountKind, string>> = {
  stake: 'SOL staked, delegated again or put into stake accounts as rent',
  unstake: 'SOL unstaked',
  withdraw: 'SOL withdrawn to the wallet',
  fees: 'SOL paid in fees',
};

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

export interface PolicyExplanation {
  readonly can: readonly string[];
  readonly cannot: readonly string[];
}

export const explainPolicy = (policy: Policy): PolicyExplanation => {
  const {
    cluster,
    wallet,
    validators,
    recipients,
    operations,
    limits,
    hours,
    approveAboveLamports,
    freezeFile,
  } = policy;
  const limited = AMOUNT_KINDS.flatMap((kind) => {
    const parts = PERIODS.flatMap((period) => {
      const limit = limits[kind]?.[period];
      return limit === undefined ? [] : [`${lamportsToSol(limit)} SOL ${PERIOD_NAMES[period]}`];
    });
    return parts.length === 0 ? [] : [[kind, parts] as const];
  });
  const isPossible = (kind: AmountKind): boolean =>
    kind === 'fees' || operations.some((one) => OPERATIONS_WITH[kind].includes(one));
  const unlimited = AMOUNT_KINDS.filter((kind) => isPossible(kind) && limited.every(([one]) => one !== kind));
  const withEpoch = limited.some(([kind]) => limits[kind]?.epoch !== undefined);
  return {
    can: [
      `Sign for the wallet ${wallet} on ${clusterNameOf(cluster, `the cluster with the genesis hash ${cluster}`)}${hours ? `, ${hoursText(hours)}` : ', at any time'}.`,
      `Do these operations: ${list(operations)}.`,
      `Delegate only to ${list(validators)}, through services of ${validators.length === 1 ? 'this validator' : 'these validators'}.`,
      // Every policy that allows a withdrawal names a recipient.
      ...(isPossible('withdraw')
        ? [
            `Withdraw only to ${list(recipients.map((one) => (one === wallet ? `${one} (the wallet)` : one)))}.`,
          ]
        : []),
      ...unlimited.map((kind) => `There is no limit on the ${AMOUNT_DESCRIPTIONS[kind]}.`),
    ],
    cannot: [
      ...(operations.length < OPERATIONS.length
        ? [`Do other operations: ${list(OPERATIONS.filter((one) => !operations.includes(one)))}.`]
        : []),
      ...limited.map(([kind, parts]) =>
        kind === 'fees'
          ? `Pay more than ${list(parts)} in fees.`
          : `${kind[0]!.toUpperCase()}${kind.slice(1)} more than ${list(parts)}.`,
      ),
      ...(approveAboveLamports === undefined
        ? []
        : [
            `Stake, unstake or withdraw more than ${lamportsToSol(approveAboveLamports)} SOL in one request unless a person approves it.`,
          ]),
      ...(freezeFile === undefined ? [] : [`Sign anything while the file ${freezeFile} exists.`]),
      ...(withEpoch
        ? [
            'Sign anything with an epoch limit unless an RPC node reports the current epoch: your own, or the node of a sandbox on this machine.',
          ]
        : []),
      'Get more by restarting, by running several programs with this file, by setting the clock back, or by changing this file while a program runs.',
    ],
  };
};
