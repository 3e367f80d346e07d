import { runCommand } from '../processes/run-command.ts';
import { inRepository, nodeProgram } from '../repository.ts';

export async function migrate(databaseUrl: string, signal: AbortSignal): Promise<void> {
  const prisma = inRepository('node_modules', 'prisma', 'build', 'index.js');
  const environment = { DATABASE_URL: databaseUrl };
  const result = await runCommand(nodeProgram(), [prisma, 'migrate', 'deploy'], { environment, signal });
  if (!result.isPassed) throw new Error(`The database cannot be migrated:\n${result.output.trim()}`);
}
