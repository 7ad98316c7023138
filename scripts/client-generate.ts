// Writes client/generated from the route tables, and the docs' list of error reasons from the code. `npm run check` fails while the
// client differs, a test while the list does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_REASONS_FILE, errorReasonsText } from './client/error-reasons.ts';
import { writeGeneratedClient } from './client/generated-client.ts';

const root = join(import.meta.dirname, '..');
const written = writeGeneratedClient(root);
writeFileSync(join(root, ERROR_REASONS_FILE), errorReasonsText(root));
console.log(`wrote ${written.join(', ')}, ${ERROR_REASONS_FILE}`);
