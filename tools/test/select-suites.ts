/** Which suites a change can break. */

export interface Selection {
  tools: boolean;
  sandbox: boolean;
  frontend: boolean;
  /** Files whose related tests run; 'all': every test. */
  backend: string[] | 'all';
  /** 'changed': only test files that were changed, or that import a changed file. */
  browser: 'all' | 'changed' | 'none';
}

const ALL: Selection = { tools: true, sandbox: true, frontend: true, backend: 'all', browser: 'all' };
/** Packages, compiler settings and the runners' own settings reach every test. */
const REACHES_ALL = [
  /^package(-lock)?\.json$/,
  /^tsconfig\.base\.json$/,
  /^tools\/test\//,
  /^(backend|frontend|sandbox)\/(package|tsconfig)\.json$/,
  /^backend\/(vitest\.config\.ts|\.swcrc)$/,
  /^frontend\/(playwright|vite)\.config\.ts$/,
];
/** Files that the image's steps read or copy. */
const IMAGE = /^(Dockerfile|\.dockerignore|docker-compose\.yml|\.npmrc|prisma\.config\.ts|tools\/schema-engine\/.*)$/;
/** Tests start the sandbox as a process and read the database's schema: no import leads there, except from these helpers. */
const HELPERS: [changed: RegExp, helper: string][] = [
  [/^sandbox\//, 'backend/test/connectors/sandbox-process.ts'],
  [/^sandbox\/src\/mail\//, 'backend/test/mail-catcher.ts'],
  [/^prisma\//, 'backend/test/database.ts'],
  [IMAGE, 'backend/test/image/dockerfile.ts'],
];
const BROWSER = [/^frontend\/(?!e2e\/)/, /^sandbox\//, /^prisma\//, /^backend\/openapi\.json$/, /^tools\/(?!(check|compose)\/)/];

/** @param files changed, added and removed ones, from the root of the repository */
export function selectSuites(files: string[]): Selection {
  const isAny = (...patterns: RegExp[]) => files.some((file) => patterns.some((pattern) => pattern.test(file)));
  if (isAny(...REACHES_ALL)) return ALL;
  const helpers = HELPERS.filter(([changed]) => isAny(changed)).map(([, helper]) => helper);
  return {
    tools: isAny(
      /^(tools|deploy|docs|\.github)\//,
      /^(Dockerfile|docker-compose\.yml|\.env\.example|\.dependency-cruiser\.cjs|SECURITY\.md|\.squawk\.toml)$/,
    ),
    sandbox: isAny(/^sandbox\//),
    frontend: isAny(/^frontend\//),
    backend: [...files.filter((file) => /^backend\/(src|test)\/.*\.ts$/.test(file)), ...helpers],
    browser: isAny(...BROWSER) ? 'all' : isAny(/^frontend\/e2e\//) ? 'changed' : 'none',
  };
}
