// Writes client/generated from the route tables, and the list of error reasons in the docs from the code. If the client is outdated,
// `npm run check` fails; if the list is outdated, a test fails.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_REASONS_FILE, errorReasonsText } from './client/error-reasons.ts';
import { writeGeneratedClient } from './client/generated-client.ts';

const root = join(import.meta.dirname, '..');
const written = writeGeneratedClient(root);
writeFileSync(join(root, ERROR_REASONS_FILE), errorReasonsText(root));
console.log(`wrote ${written.join(', ')}, ${ERROR_REASONS_FILE}`);
