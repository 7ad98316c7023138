// The command that explains a policy before an agent gets it.
import { type Command, printDocument } from '../command.ts';
import { plain } from '../show/plain-text.ts';
import { UsageError } from '../usage-error.ts';

/** `holdfast policy` */
export const policy: Command = {
  name: 'policy',
  summary: "Explain in words what a policy's agent can and cannot do",
  usage: 'check <file>',
  takes: [2, 2],
  firstWords: ['check'],
  details: [
    'A policy is a JSON file for --policy: cluster, wallet, validators, operations, limits in SOL for one request, an hour, a day and an epoch, hours of the day, an amount above which a person is asked, and a file that freezes everything.',
    'Refuses a file that is unreadable, has unknown members or contradicts itself. What was spent, and every decision, is kept in files beside the policy.',
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
