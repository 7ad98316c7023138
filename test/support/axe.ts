// Finds accessibility issues on a page with axe-core.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Lists issues with these impacts, one per line. Empty if there are none. Checks all rules by default. */
const faults = async (
  page: Page,
  impacts: readonly (string | null)[],
  rules?: readonly string[],
): Promise<readonly string[]> => {
  // Loads axe through the debugger, so the page's policy against inline scripts can stay strict.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impacts.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`,
      ),
    );
};

const SERIOUS = ['serious', 'critical'];

export const seriousFaults = (page: Page): Promise<readonly string[]> => faults(page, SERIOUS);

/** Lists the serious issues that depend on colors, for a second theme of a page that was checked in full. */
export const colorFaults = (page: Page): Promise<readonly string[]> =>
  faults(page, SERIOUS, ['color-contrast', 'link-in-text-block']);

export const allFaults = (page: Page): Promise<readonly string[]> =>
  faults(page, ['minor', 'moderate', ...SERIOUS, null]);
