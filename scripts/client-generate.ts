// Writes client/generated from the route tables. `npm run check` fails while they differ.
import { join } from 'node:path';
import { writeGeneratedClient } from './client/generated-client.ts';

const written = writeGeneratedClient(join(import.meta.dirname, '..'));
console.log(`wrote ${written.join(', ')}`);
