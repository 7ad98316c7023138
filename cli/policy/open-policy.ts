// Opens the policy specified by `--policy`, for one command or server.
import type { CommandCall, CommandOption } from '../command.ts';
import { readService, rememberedService } from '../local/known-services.ts';
import type { PolicyGuard } from './policy-guard.ts';

/** Option that specifies the policy. */
export const POLICY_OPTION = {
  policy: {
    value: 'FILE',
    description: 'sign only what this policy allows, and record every decision (see holdfast policy)',
  },
} as const satisfies Record<string, CommandOption>;

/** Opens the guard; undefined without `--policy`. Throws `UsageError` if the policy is unreadable or contradictory. */
export const openPolicy = async ({ values }: CommandCall): Promise<PolicyGuard | undefined> => {
  if (typeof values.policy !== 'string') return undefined;
  // Loaded on demand, because most commands have no policy.
  const [{ readPolicy }, { createPolicyGuard }] = await Promise.all([
    import('./policy-file.ts'),
    import('./policy-guard.ts'),
  ]);
  return createPolicyGuard(readPolicy(values.policy));
};

/**
 * Returns the genesis hash of the service's cluster: the remembered one or, without one, the one that the
 * service reports.
 */
export const clusterOf = async ({
  terminal,
  client,
  signal,
}: Pick<CommandCall, 'terminal' | 'client' | 'signal'>): Promise<string | null> =>
  (rememberedService(terminal, client.baseUrl) ?? (await readService(client, signal))).genesisHash;
