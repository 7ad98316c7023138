// The command that explains a policy before an agent uses it.
import { type Command, printDocument } from '../command.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';

export const policy: Command = {
  name: 'policy',
  summary: 'Explain what an agent with this policy can and cannot do',
  usage: 'check <file>',
  takes: [2, 2],
  firstWords: ['check'],
  details: [
    'A policy is a JSON file for --policy. It sets the cluster, wallet, validators and operations; limits in SOL per request, hour, day and epoch; the permitted hours of the day; the amount above which a person must approve; and a file that stops all signing while it exists.',
    'The command refuses a file that is unreadable, has unknown fields or contradicts itself. Spending and every decision are recorded in files next to the policy.',
  ],
  examples: ['policy check agent.policy.json'],
  async run(call) {
    const [verb, file] = call.args as [string, string];
    if (verb !== 'check') throw new UsageError('use policy check <file>', 'policy');
    const [{ readPolicy }, { explainPolicy }, { filesOf }] = await Promise.all([
      import('../policy/policy-file.ts'),
      import('../policy/explain-policy.ts'),
      import('../policy/audit-store.ts'),
    ]);
    const { path, sha256, policy: found } = readPolicy(file);
    const { can, cannot } = explainPolicy(found);
    const { audit } = filesOf(path);
    printDocument(call, { path, sha256, can, cannot, audit }, () => [
      'The agent can:',
      ...can.map((line) => `  ${plain(line)}`),
      '',
      'The agent cannot:',
      ...cannot.map((line) => `  ${plain(line)}`),
      '',
      `Every decision is recorded in ${plain(audit)}. Anyone who can change files in this folder can change the limits, so keep it out of the agent's reach.`,
    ]);
    return 'ok';
  },
};
