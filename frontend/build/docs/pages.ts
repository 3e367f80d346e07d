import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface DocsPage {
  /** In the repository, with `/`. */
  file: string;
  /** Below `/docs/`; empty: the first page. */
  slug: string;
  title: string;
  markdown: string;
}

interface Group {
  name: string;
  /** Patterns of files, in the order of the navigation. */
  files: string[];
}

/** By reader. A file of `docs` that no pattern names fails the build. */
const GROUPS: Group[] = [
  { name: 'Start', files: ['README.md', 'CHANGELOG.md'] },
  {
    name: 'Marketing data',
    files: [
      ...[
        'docs/first-steps.md',
        'docs/backfills.md',
        'docs/freshness.md',
        'docs/alerts.md',
        'docs/schema.md',
        'docs/test-bench.md',
      ],
      ...['docs/reconciliation.md', 'docs/conversions.md', 'docs/payments.md', 'docs/custom-apps.md', 'docs/configuration.md'],
    ],
  },
  { name: 'SQL reports', files: ['docs/reporting.md', 'docs/reporting-database.md', 'docs/data-dictionary.md'] },
  { name: 'API', files: ['docs/api.md'] },
  {
    name: 'Operation',
    files: ['docs/operations.md', 'docs/performance.md', 'docs/threat-model.md', 'docs/asvs.md', 'SECURITY.md'],
  },
  {
    name: 'Development',
    files: [
      ...['CONTRIBUTING.md', 'docs/architecture.md', 'docs/domain-language.md', 'docs/testing.md', 'docs/connectors.md'],
      ...['docs/sandbox.md', 'sandbox/README.md'],
    ],
  },
  { name: 'Connectors', files: ['backend/src/connectors/*/README.md'] },
  { name: 'Decisions', files: ['docs/decisions/*.md'] },
];

export interface DocsGroup {
  name: string;
  pages: DocsPage[];
}

function slugOf(file: string): string {
  if (file === 'README.md') return '';
  const name = file
    .replace(/^docs\//, '')
    .replace(/^backend\/src\/connectors\/(.+)\/README\.md$/, 'connectors/$1.md')
    .replace(/^sandbox\/README\.md$/, 'sandbox-server.md');
  return name.replace(/\.md$/, '').toLowerCase();
}

function pageOf(root: string, file: string): DocsPage {
  const markdown = readFileSync(path.join(root, file), 'utf8');
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (!title) throw new Error(`${file} has no title`);
  return { file, slug: slugOf(file), title: file === 'README.md' ? 'Quick start' : title.replaceAll('`', ''), markdown };
}

/** Reads the pages of the documentation, in the order of the navigation. */
export function readDocs(root: string): DocsGroup[] {
  const groups = GROUPS.map(({ name, files }) => ({
    name,
    pages: files
      .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
      .map((file) => pageOf(root, file.replaceAll('\\', '/'))),
  }));
  const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ file }) => file)));
  const forgotten = globSync('docs/*.md', { cwd: root }).filter((file) => !listed.has(file.replaceAll('\\', '/')));
  if (forgotten.length > 0) throw new Error(`Add ${forgotten.join(', ')} to the navigation in frontend/build/docs/pages.ts`);
  return groups;
}
