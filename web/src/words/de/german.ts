// All German texts by area. The page loads them before it is first rendered in German.
import { figuresGerman } from './figures.ts';
import { shellGerman } from './shell.ts';

export const german = {
  figures: figuresGerman,
  shell: shellGerman,
};
