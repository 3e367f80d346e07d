import { expect } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import axe from 'axe-core';

export const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

interface Size {
  name: string;
  viewport: { width: number; height: number };
  /** Color scheme of the first screen of a test. */
  firstScheme: Scheme;
}

export const SIZES: Size[] = [
  { name: '360', viewport: { width: 360, height: 780 }, firstScheme: 'light' },
  { name: '1440', viewport: { width: 1440, height: 900 }, firstScheme: 'dark' },
];

/** WCAG 2.2 AA, and the rules of landmarks, headings and names beyond it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose result depends on colors. */
const COLOR_RULES: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Violations with their elements. */
export async function violationsOf(page: Page, runOnly: axe.RunOptions['runOnly'] = RULES): Promise<string[]> {
  await addAxe(page);
  // Elements that pass a rule are not collected: nothing reads them, and finding them takes most of the time.
  const options: axe.RunOptions = { runOnly, resultTypes: ['violations'] };
  const violations = await page.evaluate(async (given) => (await window.axe.run(document, given)).violations, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
}

/**
 * Adds axe once to each loaded document. @axe-core/playwright adds it twice for each check and opens a blank page to merge the
 * results, which takes several times as long as the check.
 */
async function addAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(axe.source);
}

/**
 * A page of this size. The color schemes of the two sizes are opposite after every check, because each check ends in the other
 * scheme. So each screen is also loaded in both schemes.
 */
export async function openAt(browser: Browser, { viewport, firstScheme }: Size): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: firstScheme, reducedMotion: 'reduce' });
  return context.newPage();
}

/**
 * Checks the shown screen, then its colors in the other color scheme without another load. Tests that check
 * both sizes start with opposite schemes, so they check all rules in both.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectAccessibleInScheme(page, what);
  await switchScheme(page);
  await expectAccessibleInScheme(page, what, COLOR_RULES);
}

async function expectAccessibleInScheme(page: Page, what: string, runOnly?: axe.RunOptions['runOnly']): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const scheme = await schemeOf(page);
  expect.soft(await violationsOf(page, runOnly), `${what} in ${scheme}`).toEqual([]);
  expect.soft(await overflowOf(page), `${what} in ${scheme} scrolls horizontally`).toBe(0);
}

const schemeOf = (page: Page): Promise<Scheme> =>
  page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

const switchScheme = async (page: Page): Promise<void> => setScheme(page, (await schemeOf(page)) === 'dark' ? 'light' : 'dark');

/** Resizes the loaded page and sets its color scheme. */
export async function show(page: Page, { viewport }: Size, scheme: Scheme): Promise<void> {
  await page.setViewportSize(viewport);
  await setScheme(page, scheme);
}

async function setScheme(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await page.evaluate(untilPainted);
}

/** Runs in the page. With reduced motion, nothing has a transition: the next frame has the final colors. */
const untilPainted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** How many pixels the page is wider than the viewport. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

declare global {
  interface Window {
    axe: typeof axe;
  }
}
