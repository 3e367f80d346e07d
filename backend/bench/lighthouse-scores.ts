import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';
import { findBrowser } from '../../tools/browser.ts';
import { findFreePort } from '../../tools/ports.ts';
import { type Figure, median } from './figures.ts';

/** Categories of Lighthouse and their least scores. Only the first depends on the speed of the machine. */
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof LEAST;
const CATEGORIES = Object.keys(LEAST) as Category[];
const NAMES: Record<Category, string> = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
  seo: 'SEO',
};
/** The list keeps a stream of events open, so its network is never idle. */
const MAX_WAIT_MS = 12_000;

interface Visited {
  name: string;
  url: string;
  /** Brings the browser into the state of the visit. */
  prepare?: (page: Page) => Promise<void>;
}

/** Visits with Lighthouse's settings for desktops and an empty cache, one browser for each page. */
export async function lighthouseFigures(pages: Visited[], rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const page of pages) figures.push(...(await figuresOf(page, rounds)));
  return figures;
}

async function figuresOf({ name, url, prepare }: Visited, rounds: number): Promise<Figure[]> {
  const { executablePath, args, env } = await findBrowser();
  const profile = mkdtempSync(path.join(os.tmpdir(), 'tributary-lighthouse-'));
  const port = await findFreePort();
  const options = { executablePath, args: [...args, `--remote-debugging-port=${port}`], env };
  const context = await chromium.launchPersistentContext(profile, options);
  try {
    const page = await context.newPage();
    await prepare?.(page);
    // Lighthouse uses a tab of its own.
    await page.goto('about:blank');
    const session = await context.newCDPSession(page);
    const visits: Record<Category, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      await session.send('Network.clearBrowserCache');
      visits.push(await scoresOf(url, port));
    }
    return CATEGORIES.map((category) => toFigure(name, category, visits.map((visit) => visit[category]))); // prettier-ignore
  } finally {
    await context.close();
    rmSync(profile, { recursive: true });
  }
}

/** Keeps the storage of the browser: the sign-in is in it. */
async function scoresOf(url: string, port: number): Promise<Record<Category, number>> {
  const flags = { port, onlyCategories: CATEGORIES, disableStorageReset: true, maxWaitForLoad: MAX_WAIT_MS };
  const result = await lighthouse(url, { ...flags, logLevel: 'error' }, desktop);
  if (!result || result.lhr.runtimeError) throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
  const { categories, audits, finalDisplayedUrl } = result.lhr;
  if (finalDisplayedUrl !== url) throw new Error(`${url} led to ${finalDisplayedUrl}`);
  for (const { id, auditRefs } of Object.values(categories).filter((category) => category.id !== 'performance'))
    for (const { id: audit, weight } of auditRefs)
      if (weight > 0 && (audits[audit]?.score ?? 1) < 1) console.log(`${url}: ${id}: ${audits[audit]?.title}`);
  const scores = CATEGORIES.map((category) => [category, Math.round((categories[category]?.score ?? 0) * 100)]);
  return Object.fromEntries(scores) as Record<Category, number>;
}

function toFigure(name: string, category: Category, scores: number[]): Figure {
  const spread: [number, number] = [Math.min(...scores), Math.max(...scores)];
  const wanted = { atLeast: LEAST[category] };
  return { what: `${name}, Lighthouse ${NAMES[category]}`, measured: median(scores), spread, wanted, isExact: category !== 'performance' }; // prettier-ignore
}
