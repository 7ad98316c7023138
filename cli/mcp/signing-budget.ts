// Reports what may still be signed on this machine, and limits the service's advice to it.
import { lamportsToSol, solToLamports } from '../../client/sol-amount.ts';
import { DAY_MS, OverBudget } from '../act/signature-ledger.ts';
import type { ForeseenDecision, PolicyGuard } from '../policy/policy-guard.ts';
import { AMOUNT_NAMES, type LimitState, PERIOD_NAMES } from '../policy/policy-limits.ts';
import { PolicyRefused } from '../policy/policy-refused.ts';
import { UsageError } from '../usage-error.ts';
import { BUDGET_TOOL } from './local-tools.ts';
import type { LocalSigner } from './run-local-tool.ts';

type Members = Readonly<Record<string, unknown>>;

/** URI of the budget as a resource. */
export const BUDGET_URI = 'holdfast://budget';

export interface SigningBudget {
  /** Returns the limits of the policy and of `--max-stake`, with the amounts used and left. */
  readonly read: (signal: AbortSignal) => Promise<Members>;
  /**
   * Returns the wallet's summary with a recommended action that this machine may sign now: a smaller stake, or
   * the reason why it would be refused, or that a person must approve it. `minimumStakeSol` reads the smallest
   * stake that the cluster accepts; null if it is not known.
   */
  readonly limitAdvice: (
    summary: Members,
    minimumStakeSol: () => Promise<number | null>,
    signal: AbortSignal,
  ) => Promise<Members>;
}

/** Policy operation and kind of amount of each recommended action that signs. */
const SIGNED = {
  STAKE: ['stake', 'stake'],
  WITHDRAW: ['withdraw', 'withdraw'],
} as const;

const limitText = ({ amount, period, leftSol, limitSol, freesAt, freesInEpoch }: LimitState): string =>
  `${leftSol} of ${limitSol} SOL is left to be ${AMOUNT_NAMES[amount]} ${PERIOD_NAMES[period]}${
    freesAt === null ? '' : `, more from ${freesAt}`
  }${freesInEpoch === null ? '' : `, more from epoch ${freesInEpoch}`}.`;

/** Returns the limit with its amounts as numbers, like the amounts that tools take. */
const withNumbers = ({ limitSol, usedSol, leftSol, ...limit }: LimitState) => ({
  ...limit,
  limitSol: Number(limitSol),
  usedSol: usedSol === null ? null : Number(usedSol),
  leftSol: Number(leftSol),
});

const timeIn = (ms: number): string => new Date(ms).toISOString();

export const createSigningBudget = ({
  walletAddress,
  budgetLamports: maxStakeLamports,
  ledger,
  policy,
  node,
}: Pick<LocalSigner, 'walletAddress' | 'budgetLamports' | 'ledger' | 'policy' | 'node'>): SigningBudget => {
  /** Reads the epoch from the user's node; null if there is none or it does not respond. */
  const epochNow = async (signal: AbortSignal): Promise<number | null> => {
    try {
      return (await (await node(signal))?.epoch()) ?? null;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };

  const NO_POLICY: ForeseenDecision = { refusal: null, mostLamports: null, approveAboveLamports: null };
  const underPolicy = (...asked: Parameters<PolicyGuard['foresee']>): ForeseenDecision => {
    try {
      return policy?.foresee(...asked) ?? NO_POLICY;
    } catch (error) {
      if (error instanceof PolicyRefused) return { ...NO_POLICY, refusal: error.refusal };
      if (error instanceof UsageError)
        return { ...NO_POLICY, refusal: { code: 'POLICY_AUDIT_DAMAGED', message: error.message } };
      throw error;
    }
  };

  const leftOf = (limit: bigint, used: bigint): bigint => (limit > used ? limit - used : 0n);

  const maxStakeState = (limit: bigint): LimitState => {
    const times = ledger.stakedTimes(walletAddress);
    const used = ledger.stakedLamports(walletAddress);
    return {
      amount: 'stake',
      period: 'day',
      limitSol: lamportsToSol(limit),
      usedSol: lamportsToSol(used),
      leftSol: lamportsToSol(leftOf(limit, used)),
      freesAt: times && timeIn(times.firstMs + DAY_MS),
      allFreeAt: times && timeIn(times.lastMs + DAY_MS),
      freesInEpoch: null,
    };
  };

  /** Decides like the policy and `--max-stake` together. */
  const foresee = (
    [operation, kind]: (typeof SIGNED)[keyof typeof SIGNED],
    lamports: bigint,
    epoch: number | null,
  ): ForeseenDecision => {
    const decision = underPolicy(operation, kind, lamports, epoch);
    if (maxStakeLamports === undefined || kind !== 'stake') return decision;
    const used = ledger.stakedLamports(walletAddress);
    const left = leftOf(maxStakeLamports, used);
    const most =
      decision.mostLamports === null || left < decision.mostLamports ? left : decision.mostLamports;
    const refusal =
      lamports > left
        ? { code: 'POLICY_LIMIT' as const, message: new OverBudget(maxStakeLamports, used).message }
        : null;
    return { ...decision, refusal: decision.refusal ?? refusal, mostLamports: most };
  };

  return {
    read: async (signal) => {
      const held = policy?.budget(await epochNow(signal));
      const limits = [
        ...(maxStakeLamports === undefined ? [] : [maxStakeState(maxStakeLamports)]),
        ...(held?.limits ?? []),
      ];
      return {
        message: [
          held?.refusedNow?.message ?? (limits.length === 0 ? 'No limit on amounts was set.' : ''),
          ...limits.map(limitText),
          held?.approveAboveSol == null
            ? ''
            : `A person must approve more than ${held.approveAboveSol} SOL in one request.`,
        ]
          .filter(Boolean)
          .join(' '),
        walletAddress,
        ...held,
        ...(held?.approveAboveSol != null && { approveAboveSol: Number(held.approveAboveSol) }),
        limits: limits.map(withNumbers),
      };
    },
    limitAdvice: async (summary, minimumStakeSol, signal) => {
      const advice = summary.recommendedAction as Members | undefined;
      const signed = SIGNED[advice?.action as keyof typeof SIGNED];
      if (signed === undefined || typeof advice?.amountSol !== 'number') return summary;
      const epoch = await epochNow(signal);
      const asked = solToLamports(advice.amountSol);
      const first = foresee(signed, asked, epoch);
      const most = first.mostLamports;
      const isOverLimit = first.refusal?.code === 'POLICY_LIMIT' && signed[1] === 'stake' && most !== null;
      const minimum = isOverLimit ? await minimumStakeSol() : null;
      const isCapped = isOverLimit && minimum !== null && most >= solToLamports(minimum);
      const lamports = isCapped ? most : asked;
      const { refusal, approveAboveLamports } = isCapped ? foresee(signed, lamports, epoch) : first;
      const { amountSol: _, ...withoutAmount } = advice;
      const limited =
        refusal === null
          ? {
              ...advice,
              amountSol: Number(lamportsToSol(lamports)),
              ...((isCapped || approveAboveLamports !== null) && {
                policy: {
                  ...(isCapped && { askedSol: lamportsToSol(asked), allowedSol: lamportsToSol(lamports) }),
                  ...(approveAboveLamports !== null && {
                    needsPerson: true,
                    approveAboveSol: lamportsToSol(approveAboveLamports),
                  }),
                },
              }),
            }
          : {
              ...withoutAmount,
              action: refusal.code === 'POLICY_OPERATION' ? 'HOLD' : 'WAIT',
              reason: `${String(advice.reason)} ${refusal.message}`,
              endpoint: BUDGET_TOOL,
              policy: { errorCode: refusal.code, askedSol: lamportsToSol(asked) },
            };
      return { ...summary, recommendedAction: limited };
    },
  };
};
