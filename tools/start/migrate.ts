import { runCommand } from '../processes/run-command.ts';
import { nodeProgram } from '../repository.ts';

/** Runs the product's migrations, also those of the job queue. Needs the backend's build. */
export async function migrate(settings: Record<string, string>, ownerUrl: string, signal: AbortSignal): Promise<void> {
  const environment = { ...settings, ROLE: 'migrate', MIGRATION_DATABASE_URL: ownerUrl };
  const result = await runCommand(nodeProgram(), ['backend/dist/src/main.js'], { environment, signal });
  if (!result.isPassed) throw new Error(`Cannot migrate the database:\n${result.output.trim()}`);
}
