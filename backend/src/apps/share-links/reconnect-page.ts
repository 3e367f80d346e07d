import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../core/config/env.js';

/** Content of the pages of a shared link. All texts are escaped here. */
export interface PageContent {
  heading: string;
  paragraphs: string[];
  facts?: [name: string, value: string][];
  /** The only action. */
  button?: { text: string; href: string };
  tone?: 'good' | 'danger';
}

/** Colors and fonts of the web app, copied because the page loads no other file. */
const STYLE = `
:root{color-scheme:light dark;--canvas:#fff;--sunken:#f8f8f5;--line:#e4e3e1;--ink:#181c21;--ink-2:#484e54;--ink-3:#646a70;
--accent:#056585;--fill:#056585;--fill-hover:#025570;--on:#fff;--good:#247148;--danger:#b72d29}
@media (prefers-color-scheme:dark){:root{--canvas:#111416;--sunken:#0b0d0f;--line:#262a2e;--ink:#e9ebee;--ink-2:#b4b8bc;
--ink-3:#91969b;--accent:#6ac7e8;--fill:#14779b;--fill-hover:#106a8a;--good:#72cc98;--danger:#f48a84}}
*{box-sizing:border-box}
html{font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--sunken);color:var(--ink);font:14px/22px "Geist Variable",ui-sans-serif,system-ui,
-apple-system,"Segoe UI",Roboto,sans-serif;
letter-spacing:-.003em;display:grid;place-items:center;padding:24px 16px}
main{width:100%;max-width:440px;background:var(--canvas);border:1px solid var(--line);border-radius:12px;padding:32px}
.brand{display:flex;align-items:center;gap:8px;font-size:15px;font-weight:600;letter-spacing:-.015em;margin-bottom:24px}
.brand svg{stroke:var(--accent)}
h1{font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.015em;margin:0 0 12px;overflow-wrap:anywhere}
h1.good{color:var(--good)}h1.danger{color:var(--danger)}
p{margin:0 0 12px;color:var(--ink-2);overflow-wrap:anywhere}
dl{margin:20px 0;border-top:1px solid var(--line)}
dl div{display:flex;gap:12px;padding:8px 0;border-bottom:1px solid var(--line)}
dt{flex:0 0 104px;color:var(--ink-3)}dd{margin:0;min-width:0;overflow-wrap:anywhere}
a.button{display:block;text-align:center;background:var(--fill);color:var(--on);text-decoration:none;font-weight:500;
border-radius:8px;padding:11px 16px;margin-top:24px}
a.button:hover{background:var(--fill-hover)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:400px){main{padding:24px 20px}dl div{display:block}}
`;

const MARK = `<svg width="20" height="20" viewBox="0 0 24 24" fill="none" stroke-width="2.5" stroke-linecap="round" aria-hidden="true">
<path d="M2.75 4h2.75A6.5 6.5 0 0 1 12 10.5V21.25"/><path d="M21.25 4H18.5A6.5 6.5 0 0 0 12 10.5"/><path d="M2.75 11H6A6 6 0 0 1 12 17"/></svg>`;

/** The font of the web app's build, 29 kB, inside the style. Empty without a build: then the system's font is used. */
function fontFace(staticFolder: string | undefined): string {
  const [file] = staticFolder ? globSync(join(staticFolder, 'assets', 'geist-latin-wght-normal-*.woff2')) : [];
  if (!file) return '';
  const data = readFileSync(file).toString('base64');
  return `@font-face{font-family:"Geist Variable";font-weight:100 900;src:url(data:font/woff2;base64,${data}) format("woff2")}`;
}

/**
 * The page loads nothing, runs no script and cannot be framed. Its style is allowed by hash. Its address is a secret: no
 * referrer.
 */
const headersFor = (style: string): Record<string, string> => ({
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    `font-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Content-Type': 'text/html; charset=utf-8',
});

/** Renders the pages of shared links. */
@Injectable()
export class ReconnectPage {
  readonly headers: Record<string, string>;
  readonly #style: string;

  constructor(@Inject(ENV) { STATIC_DIR }: Env) {
    this.#style = fontFace(STATIC_DIR) + STYLE;
    this.headers = headersFor(this.#style);
  }

  render(content: PageContent): string {
    return renderPage(content, this.#style);
  }
}

function renderPage({ heading, paragraphs, facts = [], button, tone }: PageContent, style: string): string {
  const rows = facts.map(([name, value]) => `<div><dt>${escape(name)}</dt><dd>${escape(value)}</dd></div>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(heading)} · Tributary</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="brand">${MARK}Tributary</div>
<h1${tone ? ` class="${tone}"` : ''}>${escape(heading)}</h1>
${paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n')}
${rows ? `<dl>${rows}</dl>` : ''}
${button ? `<a class="button" rel="noreferrer" href="${escape(button.href)}">${escape(button.text)}</a>` : ''}
</main>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
