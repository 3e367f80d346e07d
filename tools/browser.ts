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

/** A browser of tests calls nobody but the machine it runs on, and needs neither a graphics card nor a second profile. */
const QUIET = [
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

/** Where @sparticuz/chromium unpacks the system libraries that a bare machine lacks. */
const UNPACKED_LIBRARIES = path.join(os.tmpdir(), 'al2023', 'lib');

function launchArguments(): string[] {
  // Chromium's own sandbox refuses to run as root.
  return process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
}

const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** CHROMIUM_PATH, else an installed one, else Playwright's own, else the one that npm has brought: asks nobody. */
export async function findBrowser(): Promise<Browser> {
  const found =
    [process.env.CHROMIUM_PATH, ...INSTALLED].find((file) => file && existsSync(file)) ?? (await findPlaywrightsOwn());
  if (found) return { executablePath: found, args: launchArguments(), env: ownEnvironment() };
  return unpackFromNpm();
}

async function findPlaywrightsOwn(): Promise<string | null> {
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return file && existsSync(file) ? file : null;
}

/** @sparticuz/chromium unpacks its libraries only where it believes to be on AWS Lambda; its own arguments do not suit Playwright. */
async function unpackFromNpm(): Promise<Browser> {
  if (process.platform !== 'linux') {
    throw new Error('No browser found: install Chrome, or run npx playwright install chromium, or set CHROMIUM_PATH');
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

// Run by itself it says what it found.
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await findBrowser()).executablePath);
