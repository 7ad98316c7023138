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

/** Lists issues with these impacts, one per line; empty if there are none. */
const faults = async (page: Page, impacts: readonly (string | null)[]): Promise<readonly string[]> => {
  // Uses the debugger, so that the page's policy against inline scripts does not have to be relaxed.
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResult>('axe.run()');
  return violations
    .filter(({ impact }) => impacts.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`,
      ),
    );
};

/** Lists every serious or critical issue. */
export const seriousFaults = (page: Page): Promise<readonly string[]> =>
  faults(page, ['serious', 'critical']);

/** Lists every issue of any impact. */
export const allFaults = (page: Page): Promise<readonly string[]> =>
  faults(page, ['minor', 'moderate', 'serious', 'critical', null]);
