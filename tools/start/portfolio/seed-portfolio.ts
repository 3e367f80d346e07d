import { readJsonFile, writeJsonFile } from '../../json-file.ts';
import { type DemoContext, ensureConnection } from './resources.ts';
import { writeRunHistory } from './run-history.ts';
import { untilIdle } from './runs.ts';
import { STORIES, type Story } from './stories.ts';
import { addLastingFaults, CAUSES } from './troubles.ts';

interface Done {
  organizationId: string;
  /** Names of finished stories. */
  stories: string[];
}

/**
 * Adds connections in every health to the demo organization, with the runs of 90 days. Runs after the product can be used, and
 * resumes after a stop: `file` stores what is finished. A connection that a user deleted is not created again.
 */
export async function seedPortfolio(context: DemoContext, firstConnectionId: string, file: string): Promise<void> {
  const stored = readJsonFile<Done>(file);
  const done = new Set(stored?.organizationId === context.organizationId ? stored.stories : []);
  const finish = (name: string) => {
    done.add(name);
    writeJsonFile(file, { organizationId: context.organizationId, stories: [...done] } satisfies Done);
  };
  const first = async () => {
    await untilIdle(context, firstConnectionId);
    await writeRunHistory(context.databaseUrl, firstConnectionId);
  };
  const isDone = ({ name }: Story) => done.has(name);
  await allOf([
    first(),
    seedAll(
      context,
      STORIES.filter((story) => !isDone(story)),
      finish,
    ),
  ]);
}

/** Waits for all, so that one failure does not leave the others unfinished. Throws the first failure. */
async function allOf(work: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}

/** Connections are created one after the other, because they share apps and destinations. */
async function seedAll(context: DemoContext, stories: Story[], finish: (name: string) => void): Promise<void> {
  const seeding: Promise<void>[] = [];
  for (const story of stories) {
    context.signal.throwIfAborted();
    if (story.trouble === 'slow_first_load') await addLastingFaults(context, story.trouble);
    const connectionId = await ensureConnection(context, story);
    const seeded = seedStory(context, story, connectionId).then(() => finish(story.name));
    // Reported by allOf. Until then the other connections are created.
    seeded.catch(() => {});
    seeding.push(seeded);
  }
  await allOf(seeding);
}

async function seedStory(context: DemoContext, story: Story, connectionId: string): Promise<void> {
  if (story.trouble === 'slow_first_load') return;
  await untilIdle(context, connectionId);
  await writeRunHistory(context.databaseUrl, connectionId);
  await CAUSES[story.trouble](context, connectionId, story);
}

/** Adds the lasting faults of finished stories. Before the product starts, because a waiting run resumes at once. */
export async function restoreFaults(sandboxUrl: string, file: string): Promise<void> {
  const done = readJsonFile<Done>(file)?.stories ?? [];
  for (const { name, trouble } of STORIES) if (done.includes(name)) await addLastingFaults({ sandboxUrl }, trouble);
}
