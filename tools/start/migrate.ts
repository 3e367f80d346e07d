import { runCommand } from '../processes/run-command.ts';
import { inRepository, nodeProgram } from '../repository.ts';

export async function migrate(databaseUrl: string, signal: AbortSignal): Promise<void> {
  const prisma = inRepository('node_modules', 'prisma', 'build', 'index.js');
  const environment = { DATABASE_URL: databaseUrl };
  const result = await runCommand(nodeProgram(), [prisma, 'migrate', 'deploy'], { environment, signal });
  if (!result.isPassed) throw new Error(`The database cannot be migrated:\n${result.output.trim()}`);
}

/** The part of the database that belongs to the job queue; the product brings it. Needs the build. */
export async function migrateQueue(settings: Record<string, string>, signal: AbortSignal): Promise<void> {
  const environment = { ...settings, ROLE: 'migrate' };
  const result = await runCommand(nodeProgram(), ['backend/dist/src/main.js'], { environment, signal });
  if (!result.isPassed) throw new Error(`The job queue cannot be migrated:\n${result.output.trim()}`);
}
