import path from 'node:path';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import type { DocsGroup, DocsPage } from './pages.ts';

/** As GitHub makes the ids of headings, so that links work in both places. */
const slugify = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const addressOf = (slug: string): string => (slug === '' ? '/docs/' : `/docs/${slug}`);

export interface RenderedPage {
  slug: string;
  html: string;
  /** Pictures of the page, as paths in the repository. */
  images: string[];
  /** Links to Markdown files that are not part of the documentation. */
  brokenLinks: string[];
}

interface Environment {
  page: DocsPage;
  slugs: Map<string, string>;
  images: string[];
  brokenLinks: string[];
  headings: { id: string; title: string }[];
  /** Number of tables so far. */
  tables: number;
}

const isExternal = (href: string): boolean => /^([a-z]+:|#|\/)/i.test(href);

/** The address of a link in the site; null: a file of the repository that is not part of it. */
function linkOf(href: string, { page, slugs, brokenLinks }: Environment): string | null {
  if (isExternal(href)) return href;
  const [target = '', fragment] = href.split('#');
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(page.file), target));
  const slug = slugs.get(file);
  if (slug !== undefined) return addressOf(slug) + (fragment === undefined ? '' : `#${fragment}`);
  if (file.endsWith('.md')) brokenLinks.push(href);
  return null;
}

function createMarkdown(): MarkdownIt {
  let headings: Environment['headings'] = [];
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.use(anchor, {
    slugify,
    callback: (token, { slug, title }) => {
      if (token.tag === 'h2') headings.push({ id: slug, title });
    },
  });
  // The plugin for ids does not pass the environment of the page.
  markdown.core.ruler.before('normalize', 'start', (state) => {
    headings = (state.env as Environment).headings;
  });
  markdown.renderer.rules['link_open'] = (tokens, index, options, env: Environment, self) => {
    const token = tokens[index];
    const address = linkOf(String(token?.attrGet('href')), env);
    if (token && address === null) token.attrs = [];
    else token?.attrSet('href', address ?? '');
    return self.renderToken(tokens, index, options);
  };
  markdown.renderer.rules['image'] = (tokens, index, _options, env: Environment) => {
    const token = tokens[index];
    const file = path.posix.normalize(path.posix.join(path.posix.dirname(env.page.file), String(token?.attrGet('src'))));
    env.images.push(file);
    return `<img src="/docs/images/${path.posix.basename(file)}" alt="${escapeHtml(token?.content ?? '')}" loading="lazy">`;
  };
  // Long lines and wide tables scroll within the page. The keyboard scrolls them too.
  markdown.renderer.rules['table_open'] = (_tokens, _index, _options, env: Environment) =>
    `<div class="table" tabindex="0" role="region" aria-label="Table ${++env.tables}"><table>\n`;
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
  return markdown;
}

function navigation(groups: DocsGroup[], page: DocsPage): string {
  const item = ({ slug, title }: DocsPage) =>
    `<li><a href="${addressOf(slug)}"${slug === page.slug ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  return groups
    .map(({ name, pages }) => {
      const isOpen = pages.length < 12 || pages.includes(page) ? ' open' : '';
      return `<details${isOpen}><summary>${name}</summary><ul>${pages.map(item).join('')}</ul></details>`;
    })
    .join('\n');
}

const contents = (headings: Environment['headings']): string =>
  headings.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${headings
        .map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
        .join('')}</ul></nav>`;

/** Static pages without scripts of their own: they are readable without signing in, and can be cached and printed. */
export function renderDocs(groups: DocsGroup[], stylesheet: string): RenderedPage[] {
  const pages = groups.flatMap((group) => group.pages);
  const slugs = new Map(pages.map(({ file, slug }) => [file, slug]));
  const markdown = createMarkdown();
  return pages.map((page) => {
    const env: Environment = { page, slugs, images: [], brokenLinks: [], headings: [], tables: 0 };
    const body = markdown.render(page.markdown, env).replaceAll('<pre>', '<pre tabindex="0">');
    const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Tributary docs</title>
<link rel="icon" type="image/svg+xml" href="/mark.svg">
<script src="/color-scheme.js"></script>
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="/docs/"><img src="/mark.svg" alt="" width="20" height="20">Tributary <span>Docs</span></a>
<nav aria-label="Product"><a href="/api/docs">API</a><a href="/">Open Tributary</a></nav></header>
<div class="page">
<nav class="pages" aria-label="Documentation">${navigation(groups, page)}</nav>
<main id="main">${body}</main>
${contents(env.headings)}
</div>
</body>
</html>
`;
    return { slug: page.slug, html, images: env.images, brokenLinks: env.brokenLinks };
  });
}
