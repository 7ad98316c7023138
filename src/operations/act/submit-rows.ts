// Distinguishes rows of submit from those of one-shot calls: up to 0.1.0 both had the same names.
import type { IntentRecord } from '../../store/intent-log.ts';

const has = (json: string, member: string): boolean => member in (JSON.parse(json) as object);

/**
 * Whether submit recorded the row. Of a withdrawal without an answer nobody can tell: it counts as the one-shot call's, which then
 * never sends it a second time.
 */
export const writtenBySubmit = ({
  operation,
  parameters,
  answer,
}: Pick<IntentRecord, 'operation' | 'parameters' | 'answer'>): boolean => {
  if (operation === 'stake') return has(parameters, 'stakeAccountAddress');
  if (operation === 'unstake') return has(parameters, 'amountLamports');
  if (operation === 'withdraw') return answer !== null && !has(answer, 'amountSol');
  return true;
};
