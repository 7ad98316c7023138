// `npm run demo [-- URL]`: plays the life of a stake against a running sandbox service and exits non-zero on any surprise.
import { createHttpClient } from './http-client.ts';
import { playLife } from './life.ts';
import { createStory } from './story.ts';

const baseUrl = process.argv[2] ?? 'http://127.0.0.1:3000';
const service = createHttpClient(baseUrl);
const story = createStory(process.stdout);

const isSandbox = async (): Promise<boolean> => {
  const { _meta } = await service.get('/health').catch(() => {
    console.error(
      `No Holdfast answers at ${baseUrl}. Start one with "npm start", or name another: npm run demo -- http://127.0.0.1:3001`,
    );
    process.exit(1);
  });
  return _meta?.cluster === 'sandbox';
};

if (!(await isSandbox())) {
  console.error(
    `${baseUrl} serves a real cluster. The demo spends SOL and ends epochs, so it plays on a sandbox only.`,
  );
  process.exit(1);
}
try {
  await playLife(service, story);
  story.tell(`\nAll ${story.stepsTold()} steps went as they should.`);
} catch (error) {
  console.error(`\nA surprise: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
