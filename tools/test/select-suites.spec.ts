import { describe, expect, it } from 'vitest';
import { selectSuites } from './select-suites.ts';

const NOTHING = { tools: false, sandbox: false, frontend: false, backend: [], browser: 'none' };

describe('the suites for a change', () => {
  it('are none for a text that no test reads', () => {
    expect(selectSuites(['README.md'])).toEqual(NOTHING);
  });

  it('are all of them for a package or a setting of a runner', () => {
    for (const file of ['package-lock.json', 'backend/vitest.config.ts', 'frontend/playwright.config.ts'])
      expect(selectSuites([file])).toMatchObject({ tools: true, sandbox: true, backend: 'all', browser: 'all' });
  });

  it('are the tools for a file that only their tests read', () => {
    for (const file of ['.env.example', '.github/workflows/image.yml', 'tools/compose/settings.ts'])
      expect(selectSuites([file])).toEqual({ ...NOTHING, tools: true });
  });

  it('are the related tests for a file of the backend', () => {
    expect(selectSuites(['backend/src/users/users.service.ts'])).toEqual({
      ...NOTHING,
      backend: ['backend/src/users/users.service.ts'],
    });
  });

  it('contain the tests that start the sandbox or read the schema, which they do not import', () => {
    expect(selectSuites(['sandbox/src/main.ts'])).toMatchObject({
      sandbox: true,
      backend: ['backend/test/connectors/sandbox-process.ts'],
      browser: 'all',
    });
    expect(selectSuites(['prisma/schema/users.prisma'])).toMatchObject({ backend: ['backend/test/database.ts'] });
    for (const file of ['Dockerfile', '.dockerignore', 'docker-compose.yml', 'tools/schema-engine/main.mjs'])
      expect(selectSuites([file])).toMatchObject({ backend: ['backend/test/image/dockerfile.ts'] });
  });

  it('are only the changed browser tests when nothing but those was changed', () => {
    expect(selectSuites(['frontend/e2e/session.spec.ts'])).toMatchObject({ frontend: true, browser: 'changed' });
    expect(selectSuites(['frontend/e2e/session.spec.ts', 'frontend/src/ui/table.tsx'])).toMatchObject({ browser: 'all' });
  });
});
