import { describe, expect, it } from 'vitest';
import type { DocsPage } from './pages.ts';
import { renderDocs } from './render.ts';

const page = (file: string, slug: string, markdown: string): DocsPage => ({ file, slug, title: `Title of ${file}`, markdown });

function render(markdown: string) {
  const groups = [
    { name: 'Start', pages: [page('README.md', '', '# Start')] },
    {
      name: 'Guides',
      pages: [page('docs/alerts.md', 'alerts', markdown), page('docs/decisions/0001-x.md', 'decisions/0001-x', '# X')],
    },
  ];
  const found = renderDocs(groups, '/docs/docs.css').find(({ slug }) => slug === 'alerts');
  if (!found) throw new Error('the page is missing');
  return found;
}

describe('a page of the documentation', () => {
  it('links to other pages of the site, with the part of the page', () => {
    const { html, brokenLinks } = render('[one](decisions/0001-x.md#why-it-is) [two](../README.md)');
    expect(html).toContain('<a href="/docs/decisions/0001-x#why-it-is">one</a> <a href="/docs/">two</a>');
    expect(brokenLinks).toEqual([]);
  });

  it('shows the text of a link to a source file, and reports a link to an unknown page', () => {
    const { html, brokenLinks } = render('[code](../backend/src/main.ts) [gone](gone.md)');
    expect(html).toContain('<a>code</a>');
    expect(brokenLinks).toEqual(['gone.md']);
  });

  it('gives headings the ids that GitHub gives them, and lists them', () => {
    const { html } = render('# Alerts\n\n## What is sent, and when?\n\n## `GET /badge`');
    expect(html).toContain('<h2 id="what-is-sent-and-when" tabindex="-1">');
    expect(html).toContain('<li><a href="#what-is-sent-and-when">What is sent, and when?</a></li>');
    expect(html).toContain('id="get-badge"');
  });

  it('marks itself in the navigation and collects its pictures', () => {
    const { html, images } = render('![The page](images/page.png)');
    expect(html).toContain('<a href="/docs/alerts" aria-current="page">Title of docs/alerts.md</a>');
    expect(html).toContain('<img src="/docs/images/page.png" alt="The page" loading="lazy">');
    expect(images).toEqual(['docs/images/page.png']);
  });

  it('does not run HTML of a document', () => expect(render('<script>x</script>').html).not.toContain('<script>x'));
});
