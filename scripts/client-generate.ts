// Writes client/generated from the route tables. If it is outdated, `npm run check` fails.
import { join } from 'node:path';
import { writeGeneratedClient } from './client/generated-client.ts';

const root = join(import.meta.dirname, '..');
const written = writeGeneratedClient(root);
console.log(`wrote ${written.join(', ')}`);
