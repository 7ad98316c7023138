// Runs the demo on the command line. It completes the same staking lifecycle as over REST, using only
// `holdfast` commands.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { playLifeOverCli } from '../../demo/life-cli.ts';
import { createStory } from '../../demo/story.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast } from './cli-runner.ts';

const shared = sharedSandboxService({ before, after });

test('the demo completes the full staking lifecycle on the command line', async (t) => {
  const out = new PassThrough({ encoding: 'utf8' });
  const story = createStory(out);
  const run = (args: readonly string[]) => holdfast([...args, '--url', shared().service.url]);
  await playLifeOverCli(run, join(temporaryFolder(t), 'wallet.json'), story);
  assert.equal(story.stepCount(), 12);
  assert.equal(String(out.read()).match(/^✓/gm)?.length, 12);
});
