import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseOptions, type IFlattenedRuleSet, type IResolveOptions } from 'dependency-cruiser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRepository } from '../repository.ts';

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as IFlattenedRuleSet & {
  options: ICruiseOptions & { enhancedResolveOptions: Partial<IResolveOptions> };
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'boundaries-'));
  symlinkSync(inRepository('node_modules'), path.join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes files with the given imports and returns the names of the violated rules. */
async function brokenRules(imports: Record<string, string[]>): Promise<string[]> {
  for (const [file, targets] of Object.entries(imports)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), targets.map((target) => `import '${target}';`).join('\n') || 'export {};');
  }
  const roots = [...new Set(Object.keys(imports).map((file) => file.split('/')[0] ?? ''))];
  const { options, ...ruleSet } = rules;
  const { output } = await cruise(
    roots,
    { ...options, ruleSet, validate: true, baseDir: folder },
    options.enhancedResolveOptions,
  );
  if (typeof output === 'string') throw new Error(output);
  return [...new Set(output.summary.violations.map((violation) => violation.rule.name))].sort();
}

const source = 'backend/src';

describe('the import rules', () => {
  it.each<[string, Record<string, string[]>]>([
    ['no-cycles', { 'tools/a.ts': ['./b.ts'], 'tools/b.ts': ['./a.ts'] }],
    ['no-unresolved', { 'tools/a.ts': ['./missing.ts'] }],
    [
      'backend-users-imports-only-earlier',
      { [`${source}/users/users.service.ts`]: ['../sync/index.js'], [`${source}/sync/index.ts`]: [] },
    ],
    [
      'backend-core-imports-only-earlier',
      { [`${source}/core/a.ts`]: ['../connectors/kit/b.js'], [`${source}/connectors/kit/b.ts`]: [] },
    ],
    [
      'modules-through-index',
      { [`${source}/apps/apps.service.ts`]: ['../users/users.queries.js'], [`${source}/users/users.queries.ts`]: [] },
    ],
    [
      'modules-through-index',
      { [`${source}/apps/a.ts`]: ['../connectors/mixpanel/b.js'], [`${source}/connectors/mixpanel/b.ts`]: [] },
    ],
    ['modules-do-not-import-the-root', { [`${source}/users/a.ts`]: ['../main.js'], [`${source}/main.ts`]: [] }],
    ['connectors-without-framework', { [`${source}/connectors/one/a.ts`]: ['@nestjs/common'] }],
    ['connectors-without-framework', { [`${source}/connectors/one/a.ts`]: ['@prisma/adapter-pg'] }],
    ['no-database-in-controllers', { [`${source}/apps/apps.controller.ts`]: ['pg'] }],
    [
      'no-database-in-controllers',
      { [`${source}/apps/apps.controller.ts`]: ['../core/database/database.js'], [`${source}/core/database/database.ts`]: [] },
    ],
    ['frontend-lib-imports-only-earlier', { 'frontend/src/lib/a.ts': ['../ui/b'], 'frontend/src/ui/b.tsx': [] }],
    ['features-are-independent', { 'frontend/src/features/apps/a.tsx': ['../sync/b'], 'frontend/src/features/sync/b.tsx': [] }],
    ['frontend-imports-openapi-only', { 'frontend/src/lib/a.ts': ['../../../backend/src/b'], 'backend/src/b.ts': [] }],
    ['backend-without-frontend', { 'backend/test/a.ts': ['../../frontend/src/b'], 'frontend/src/b.ts': [] }],
    ['product-without-sandbox', { 'backend/test/a.ts': ['../../sandbox/src/b.ts'], 'sandbox/src/b.ts': [] }],
    ['product-without-sandbox', { 'frontend/src/lib/a.ts': ['../../../sandbox/src/b.ts'], 'sandbox/src/b.ts': [] }],
    ['sandbox-without-product', { 'sandbox/src/a.ts': ['../../backend/src/b.ts'], 'backend/src/b.ts': [] }],
    ['product-without-tools', { 'backend/src/a.ts': ['../../tools/b.ts'], 'tools/b.ts': [] }],
    ['tools-without-product', { 'tools/a.ts': ['../sandbox/src/b.ts'], 'sandbox/src/b.ts': [] }],
  ])('%s is enforced', async (rule, imports) => {
    expect(await brokenRules(imports)).toEqual([rule]);
  });

  it('rejects imports of another connector or of a module in a connector', async () => {
    const one = { [`${source}/connectors/one/a.ts`]: ['../two/b.js'], [`${source}/connectors/two/b.ts`]: [] };
    expect(await brokenRules(one)).toContain('connectors-stand-alone');
    const two = { [`${source}/connectors/one/a.ts`]: ['../../core/c.js'], [`${source}/core/c.ts`]: [] };
    expect(await brokenRules(two)).toContain('connectors-stand-alone');
  });

  it('lets a module use earlier modules through their index.ts', async () => {
    const allowed = {
      [`${source}/apps/apps.service.ts`]: [
        '../core/database/database.js',
        '../connectors/kit/errors.js',
        '../connectors/catalog.js',
        '../users/index.js',
        '../access/index.js',
      ],
      [`${source}/core/database/database.ts`]: ['pg'],
      [`${source}/connectors/kit/errors.ts`]: [],
      [`${source}/connectors/catalog.ts`]: ['./one/index.js'],
      [`${source}/connectors/one/index.ts`]: ['../kit/errors.js', 'zod', 'node:fs'],
      [`${source}/users/index.ts`]: [],
      [`${source}/access/index.ts`]: [],
      'frontend/src/app/routes.tsx': ['../features/apps/a', '../lib/b'],
      'frontend/src/features/apps/a.tsx': ['../../ui/c', '../../api/d'],
      'frontend/src/lib/b.ts': [],
      'frontend/src/ui/c.tsx': [],
      'frontend/src/api/d.ts': [],
    };
    expect(await brokenRules(allowed)).toEqual([]);
  });
});
