import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export const SIZES = [
  { name: '360', viewport: { width: 360, height: 780 } },
  { name: '1440', viewport: { width: 1440, height: 900 } },
];
export const SCHEMES = ['light', 'dark'] as const;

/** Every broken rule of WCAG 2.2 AA, with the elements that break it. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The elements that pass a rule are not collected: nothing reads them, and finding them takes most of the time.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
}

/** Pixels by which a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
