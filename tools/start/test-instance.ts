import { inRepository } from '../repository.ts';
import { emptyDataFolder } from './empty-data-folder.ts';
import type { Instance } from './instance-file.ts';
import { InstanceLauncher, type StartOptions } from './start-instance.ts';

/** Fixed, so that the next test run finds and stops processes of a killed one. */
const FOLDERS = {
  free: inRepository('.tmp', 'test-instance'),
  billed: inRepository('.tmp', 'test-instance-billed'),
  extended: inRepository('.tmp', 'test-instance-extended'),
  portfolio: inRepository('.tmp', 'test-instance-portfolio'),
};

export interface TestInstance {
  instance: Instance;
  /** Until the demo has all its connections, with `hasPortfolio`. */
  portfolio(): Promise<void>;
  stop(): Promise<void>;
}

type TestOptions = Pick<StartOptions, 'isSeeded' | 'hasPortfolio' | 'isBilled' | 'extension' | 'progress'>;

function folderFor({ isBilled, extension, hasPortfolio }: TestOptions): keyof typeof FOLDERS {
  if (isBilled) return 'billed';
  if (extension) return 'extended';
  return hasPortfolio ? 'portfolio' : 'free';
}

/** Starts a new instance for browser tests: free ports, its own data, the same build as `make start`. */
export async function startTestInstance(options: TestOptions = {}): Promise<TestInstance> {
  const dataFolder = FOLDERS[folderFor(options)];
  await emptyDataFolder(dataFolder);
  const launcher = new InstanceLauncher({ dataFolder, port: 0, ...options });
  const stop = async () => {
    await launcher.stop();
    await emptyDataFolder(dataFolder);
  };
  try {
    return { instance: await launcher.start(), portfolio: () => launcher.portfolio(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops test instances and deletes their data, also after an interrupted run. */
export async function endTestInstances(): Promise<void> {
  for (const folder of Object.values(FOLDERS)) await emptyDataFolder(folder);
}
