import type { Page } from '@playwright/test';
import axe from 'axe-core';

export const SIZES = [
  { name: '360', viewport: { width: 360, height: 780 } },
  { name: '1440', viewport: { width: 1440, height: 900 } },
];
export const SCHEMES = ['light', 'dark'] as const;

const OPTIONS: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  // Elements that pass a rule are not collected: nothing reads them, and finding them takes most of the time.
  resultTypes: ['violations'],
};

/** Violations of WCAG 2.2 AA, with their elements. */
export async function violationsOf(page: Page): Promise<string[]> {
  await addAxe(page);
  const violations = await page.evaluate(async (options) => (await window.axe.run(document, options)).violations, OPTIONS);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
}

/**
 * Adds axe once to each loaded document. @axe-core/playwright adds it twice for each check and opens a blank page to merge the
 * results, which takes several times as long as the check.
 */
async function addAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(axe.source);
}

/** How many pixels the page is wider than the viewport. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

declare global {
  interface Window {
    axe: typeof axe;
  }
}
