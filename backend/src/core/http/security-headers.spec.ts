import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';

const SCRIPT = "document.documentElement.dataset.scheme = 'dark';";
let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'web-app-'));
  writeFileSync(path.join(folder, 'index.html'), `<!doctype html><script>${SCRIPT}</script><script src="/main.js"></script>`);
  app = await startTestApp({ STATIC_DIR: folder });
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('the content security policy allows exactly the inline scripts of the built web app', async () => {
  const page = await fetch(`${app.url}/any/page`);
  const policy = page.headers.get('content-security-policy') ?? '';
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  expect(await page.text()).toContain(SCRIPT);
  expect(scripts.split(' ').filter((source) => source.includes('sha256'))).toEqual([`'sha256-${hash}'`]);
  expect(scripts).not.toContain('unsafe-inline');
});
