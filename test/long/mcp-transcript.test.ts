// Checks that the transcript in docs/mcp.md matches what an agent experiences today: it discovers the tools,
// stakes, waits, unstakes an amount, withdraws, and has a stake refused by its policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { recordAgentLife, withTranscript } from '../support/agent-transcript.ts';

const shared = sharedSandboxService({ before, after });

test('the transcript of an agent session is up to date', async (t) => {
  const document = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  const lived = await recordAgentLife(t, shared().client);
  assert.equal(withTranscript(document, lived), document, 'update it with npm run examples:record');
  assert.ok(document.includes(lived));
  for (const part of ['→ stake {"amountSol":5}', '→ unstake {"amountSol":2}', '→ withdraw', 'POLICY_LIMIT'])
    assert.ok(lived.includes(part), part);
  assert.equal(lived.match(/← refused/g)?.length, 1);
});
