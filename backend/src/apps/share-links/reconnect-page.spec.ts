import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Env } from '../../core/config/env.js';
import { ReconnectPage } from './reconnect-page.js';

const folder = mkdtempSync(join(tmpdir(), 'reconnect-page-'));
mkdirSync(join(folder, 'assets'));
afterAll(() => rmSync(folder, { recursive: true }));

const pageOf = (STATIC_DIR?: string) => new ReconnectPage({ STATIC_DIR } as Env);
const styleOf = (page: ReconnectPage) =>
  /<style>([^]*)<\/style>/.exec(page.render({ heading: 'Reconnect', paragraphs: [] }))![1]!;

describe('the font of the page of a shared link', () => {
  it('is that of the web app, inside the page, and allowed by the hash of the style', () => {
    writeFileSync(join(folder, 'assets', 'geist-latin-wght-normal-Ab12.woff2'), 'font');
    const page = pageOf(folder);
    expect(styleOf(page)).toContain(`url(data:font/woff2;base64,${Buffer.from('font').toString('base64')})`);
    const hash = createHash('sha256').update(styleOf(page)).digest('base64');
    expect(page.headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'; font-src data:`);
  });

  it('is that of the system without a build of the web app', () => {
    expect(styleOf(pageOf())).not.toContain('@font-face');
    expect(styleOf(pageOf())).toContain('system-ui');
  });
});
