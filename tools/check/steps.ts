import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runCommand, type CommandResult } from '../processes/run-command.ts';
import { inRepository } from '../repository.ts';
import { currentDictionary, DICTIONARY } from '../database/dictionary.ts';
import { checkWords } from './words.ts';
import { BACKEND, build, FRONTEND, type BuildPart } from '../start/build.ts';

export interface CheckStep {
  name: string;
  /** Name of the step whose result this one uses. */
  needs?: string;
  run(signal: AbortSignal): Promise<Pick<CommandResult, 'isPassed' | 'output'>>;
}

/** Other steps and the tests wait for the step of this name: it builds the backend. */
export const BACKEND_BUILDS = 'the backend builds';
/** The tests of the backend also wait for this step: one of them starts the image's files. */
export const FRONTEND_BUILDS = 'the frontend builds';

/**
 * TypeScript 7, by its path: other tools use the API of TypeScript 6, and both have a command `tsc`. One thread, because threads check
 * the same types again, and other steps or tests use the other processors.
 */
const TYPE_CHECK = [inRepository('node_modules', 'typescript-native', 'bin', 'tsc'), '--singleThreaded'];

/** @param databaseUrl a server on which databases may be created and dropped */
export function checkSteps(databaseUrl: string): CheckStep[] {
  const environment = { DATABASE_URL: databaseUrl };
  const run =
    (command: string, ...parameters: string[]): CheckStep['run'] =>
    (signal) =>
      runCommand(command, parameters, { environment, signal });
  const types = (folder: string): CheckStep['run'] => run('node', ...TYPE_CHECK, '--project', folder);
  const drift = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema', '--exit-code'];
  return [
    { name: BACKEND_BUILDS, run: builds(BACKEND) },
    {
      name: 'the OpenAPI document is current',
      needs: BACKEND_BUILDS,
      run: isCurrent('backend/openapi.json', 'openapi', 'backend'),
    },
    // Before the frontend builds, because it writes a source of the web app.
    { name: "the web app's API types are current", run: isCurrent('frontend/src/api/schema.d.ts', 'api', 'frontend') },
    { name: FRONTEND_BUILDS, run: builds(FRONTEND) },
    { name: 'the lock file contains no download URLs', run: async () => lockFileIsNeutral() },
    { name: 'the terms of docs/domain-language.md are used', run: usesTerms },
    { name: 'the Prisma schema is valid', run: run('prisma', 'validate') },
    { name: 'the migrations match the Prisma schema', run: run('prisma', ...drift) },
    {
      name: 'new migrations follow the rules of squawk',
      run: run('squawk', '--no-error-on-unmatched-pattern', 'prisma/migrations/*/migration.sql'),
    },
    { name: 'import rules', run: run('depcruise', 'backend', 'frontend', 'sandbox', 'tools', '--output-type', 'err-long') },
    { name: 'no unused files, exports or packages', needs: BACKEND_BUILDS, run: run('knip', '--no-config-hints') },
    { name: 'format', run: run('oxfmt', '--check', '--threads=1') },
    { name: 'types of the tools', run: types('tools') },
    { name: 'types of the sandbox', run: types('sandbox') },
    { name: 'types of the backend', needs: BACKEND_BUILDS, run: types('backend') },
    { name: 'types of the benchmarks', needs: BACKEND_BUILDS, run: types('backend/bench') },
    { name: 'types of the drill', needs: BACKEND_BUILDS, run: types('backend/drill') },
    {
      name: 'the benchmarks of the load, the API and the connections start',
      needs: BACKEND_BUILDS,
      run: run('npm', 'run', '--silent', 'bench:smoke', '-w', 'backend'),
    },
    {
      name: 'the OpenAPI document follows its rules',
      run: run('spectral', 'lint', '--fail-severity=warn', '--quiet', 'backend/openapi.json'),
    },
    { name: 'the data dictionary is current', run: dictionaryIsCurrent },
    { name: 'types of the frontend', run: types('frontend') },
    { name: 'lint', run: run('eslint', '--max-warnings', '0', '.') },
    { name: 'lint with types', needs: BACKEND_BUILDS, run: run('oxlint', '--threads=1') },
  ];
}

function builds(part: BuildPart): CheckStep['run'] {
  return async (signal) => {
    try {
      await build(part, signal);
      return { isPassed: true, output: '' };
    } catch (error) {
      return { isPassed: false, output: (error as Error).message };
    }
  };
}

/** npm writes download URLs of packages when it uses a registry other than the default one. */
function lockFileIsNeutral(): { isPassed: boolean; output: string } {
  const found = readFileSync(inRepository('package-lock.json'), 'utf8').match(/"resolved": "https?:.*/g) ?? [];
  return { isPassed: found.length === 0, output: found.slice(0, 5).join('\n') };
}

async function usesTerms(signal: AbortSignal): Promise<{ isPassed: boolean; output: string }> {
  const listed = await runCommand('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], { signal });
  if (!listed.isPassed) return listed;
  const files = listed.output.split('\n').filter((file) => file !== '' && existsSync(inRepository(file)));
  const found = checkWords(files, (file) => readFileSync(inRepository(file), 'utf8'));
  return { isPassed: found.length === 0, output: found.slice(0, 200).join('\n') };
}

async function dictionaryIsCurrent(): Promise<{ isPassed: boolean; output: string }> {
  const isPassed = readIfThere(inRepository(DICTIONARY)) === (await currentDictionary());
  return { isPassed, output: isPassed ? '' : `${DICTIONARY} is outdated. Run make api and commit it` };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Generates the file again, compares, and restores the committed content. */
function isCurrent(file: string, script: string, workspace: string): CheckStep['run'] {
  return async (signal) => {
    const committed = readIfThere(inRepository(file));
    if (committed === null) return { isPassed: false, output: `${file} is missing. Run make api` };
    try {
      const result = await runCommand('npm', ['run', '--silent', script, '-w', workspace], { signal });
      if (!result.isPassed) return result;
      const isSame = readIfThere(inRepository(file)) === committed;
      return { isPassed: isSame, output: isSame ? '' : `${file} differs from the sources. Run make api and commit it` };
    } finally {
      if (readIfThere(inRepository(file)) !== committed) writeFileSync(inRepository(file), committed);
    }
  };
}
