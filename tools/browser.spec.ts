import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { expect, it } from 'vitest';
import { findBrowser } from './browser.ts';

it('finds a browser that renders a page and runs its script', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<button onclick="this.textContent = \'clicked\'">click</button>');
  }).listen(0, '127.0.0.1');
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env });
  try {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await page.click('button');
    expect(await page.textContent('button')).toBe('clicked');
    expect((await page.screenshot()).byteLength).toBeGreaterThan(500);
  } finally {
    await browser.close();
    server.close();
  }
});
