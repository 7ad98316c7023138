// All German texts by area. The page loads them before it is first rendered in German.
import { shellGerman } from './shell.ts';

export const german = { shell: shellGerman };
