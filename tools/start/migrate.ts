import { runCommand } from '../processes/run-command.ts';
import { nodeProgram } from '../repository.ts';

/** The product brings its own tables and the job queue's up to date. Needs the build. */
export async function migrate(settings: Record<string, string>, ownerUrl: string, signal: AbortSignal): Promise<void> {
  const environment = { ...settings, ROLE: 'migrate', MIGRATION_DATABASE_URL: ownerUrl };
  const result = await runCommand(nodeProgram(), ['backend/dist/src/main.js'], { environment, signal });
  if (!result.isPassed) throw new Error(`The database cannot be migrated:\n${result.output.trim()}`);
}
