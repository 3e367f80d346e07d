/** The suites for what differs from the main branch, uncommitted changes included. */
import { existsSync } from 'node:fs';
import { runCommand } from '../processes/run-command.ts';
import { inRepository } from '../repository.ts';
import { selectSuites } from './select-suites.ts';
import { BACKEND, BROWSER, FRONTEND, relatedTests, SANDBOX, type Suite, type SuitePlan, TOOLS } from './suites.ts';

async function linesOf(command: string, ...parameters: string[]): Promise<string[]> {
  const { isPassed, output } = await runCommand(command, parameters);
  if (!isPassed) throw new Error(`${command} ${parameters.join(' ')} failed:\n${output}`);
  return output.split('\n').filter(Boolean);
}

const extended = (suite: Suite, ...parameters: string[]): Suite => ({ ...suite, command: [...suite.command, ...parameters] });

/** Vitest follows the imports; a removed file has no importers left. */
function relatedBackendSuite(files: string[]): Suite | null {
  const existing = files.map((file) => inRepository(file)).filter((file) => existsSync(file));
  return existing.length === 0 ? null : relatedTests(BACKEND, existing);
}

/** A clone of one branch has the main branch only as its remote's. */
async function branchedFrom(): Promise<string> {
  for (const main of ['main', 'origin/main']) {
    const { isPassed, output } = await runCommand('git', ['merge-base', 'HEAD', main]);
    if (isPassed) return output.trim();
  }
  throw new Error('There is no branch main to compare with. Set BASE=<commit>.');
}

/** @param base a commit; unset: where this branch left the main branch */
export async function planChangedSuites(base = process.env.BASE): Promise<SuitePlan> {
  const from = base ?? (await branchedFrom());
  const changed = await linesOf('git', 'diff', '--name-only', '--no-renames', from);
  const files = [...new Set([...changed, ...(await linesOf('git', 'ls-files', '--others', '--exclude-standard'))])];
  const { tools, sandbox, frontend, backend, browser } = selectSuites(files);
  console.log(`${files.length} files differ from ${from}`);
  return {
    quick: [...(tools ? [TOOLS] : []), ...(sandbox ? [SANDBOX] : []), ...(frontend ? [FRONTEND] : [])],
    backend: backend === 'all' ? BACKEND : relatedBackendSuite(backend),
    browser:
      browser === 'none'
        ? null
        : browser === 'all'
          ? BROWSER
          : { ...extended(BROWSER, `--only-changed=${from}`), mayBeEmpty: true },
  };
}
