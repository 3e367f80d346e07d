/**
 * node --import ./bench/resolve-source.mjs bench/web.ts: visits with an empty cache, in a browser whose CPU is slowed down four times:
 * JavaScript as sent, requests, largest contentful paint, layout shift and blocking time of the sign-in page and of the list of connections
 * of the demo; and the scores of Lighthouse for both, on a desktop. The network is this machine. ROUNDS sets the number of visits.
 */
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../tools/browser.ts';
import { startTestInstance } from '../../tools/start/test-instance.ts';
import { type Figure, median, printFigures } from './figures.ts';
import { lighthouseFigures } from './lighthouse-scores.ts';
import { sized } from './smoke.ts';

const rounds = Number(process.env['ROUNDS'] ?? sized(5, 1));
const LIGHTHOUSE_ROUNDS = sized(3, 1);
const SLOW_DOWN = 4;
/** Only ends what hangs: a busy machine may be slow. */
const TIMEOUT_MS = 120_000;
/** A long task blocks input for the time beyond this. */
const TASK_MS = 50;

interface Visit {
  scriptKilobytes: number;
  requests: number;
  largestPaintMs: number;
  layoutShift: number;
  blockingMs: number;
}
type Limits = Record<keyof Visit, number>;
/** Runs in the page, before its scripts. */
const RECORD_ENTRIES = `
  const seen = (globalThis.seen = { largestPaintMs: 0, layoutShift: 0, tasksMs: [] });
  const observe = (type, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (seen.largestPaintMs = startTime));
  observe('layout-shift', ({ value }) => (seen.layoutShift += value));
  observe('longtask', ({ duration }) => seen.tasksMs.push(duration));`;
interface Seen {
  largestPaintMs: number;
  layoutShift: number;
  tasksMs: number[];
}
type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const LOGIN: Limits = { scriptKilobytes: 143, requests: 12, largestPaintMs: 900, layoutShift: 0.01, blockingMs: 50 };
const LIST: Limits = { scriptKilobytes: 200, requests: 20, largestPaintMs: 1_200, layoutShift: 0.02, blockingMs: 150 };
const UNITS: Record<keyof Visit, [name: string, unit: string]> = {
  scriptKilobytes: ['JavaScript as sent', 'kB'],
  requests: ['requests', ''],
  largestPaintMs: ['largest contentful paint', 'ms'],
  layoutShift: ['layout shift', ''],
  blockingMs: ['blocking time', 'ms'],
};

const { instance, stop } = await startTestInstance();
const { executablePath, args, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, args, env });
try {
  const { demo, url } = instance;
  if (!demo) throw new Error('the instance has no demo');
  const signedIn = await signIn(browser, url, demo);
  const login = await visitOften(undefined, `${url}/login`, (page) =>
    page.getByRole('button', { name: 'Use demo account' }).waitFor(),
  );
  const listUrl = `${url}/${demo.organizationId}/connection`;
  const list = await visitOften(signedIn, listUrl, (page) => page.getByText('sorted by severity').waitFor());
  const scores = await lighthouseFigures(
    [
      { name: '/login', url: `${url}/login` },
      { name: 'list of connections', url: listUrl, prepare: (page) => signInAt(page, url, demo) },
    ],
    LIGHTHOUSE_ROUNDS,
  );
  printFigures([...figuresOf('/login', login, LOGIN), ...figuresOf('list of connections', list, LIST), ...scores]);
} finally {
  await browser.close();
  await stop();
}

async function signIn(browser: Browser, url: string, user: { email: string; password: string }): Promise<State> {
  const context = await browser.newContext();
  await signInAt(await context.newPage(), url, user);
  const state = await context.storageState({ indexedDB: true });
  await context.close();
  return state;
}

async function signInAt(page: Page, url: string, { email, password }: { email: string; password: string }): Promise<void> {
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((address) => !address.pathname.startsWith('/login'));
}

async function visitOften(state: State | undefined, url: string, untilShown: (page: Page) => Promise<void>): Promise<Visit[]> {
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext(state ? { storageState: state } : {});
    visits.push(await visit(await context.newPage(), url, untilShown));
    await context.close();
  }
  return visits;
}

async function visit(page: Page, url: string, untilShown: (page: Page) => Promise<void>): Promise<Visit> {
  page.setDefaultTimeout(TIMEOUT_MS);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN });
  let requests = 0;
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    requests += 1;
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    scripts.push(response.request().sizes().then(({ responseBodySize }) => responseBodySize)); // prettier-ignore
  });
  await page.addInitScript({ content: RECORD_ENTRIES });
  await page.goto(url);
  await untilShown(page);
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  const { largestPaintMs, layoutShift, tasksMs } = await page.evaluate<Seen>('globalThis.seen');
  const blockingMs = tasksMs.reduce((sum, taskMs) => sum + Math.max(0, taskMs - TASK_MS), 0);
  const scriptBytes = (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
  return { scriptKilobytes: scriptBytes / 1_000, requests, largestPaintMs, layoutShift, blockingMs };
}

function figuresOf(what: string, visits: Visit[], limits: Limits): Figure[] {
  return (Object.keys(UNITS) as (keyof Visit)[]).map((key) => {
    const values = visits.map((one) => one[key]);
    const [name, unit] = UNITS[key];
    const spread: [number, number] = [Math.min(...values), Math.max(...values)];
    return { what: `${what}, ${name}`, measured: median(values), spread, wanted: { atMost: limits[key] }, unit };
  });
}
