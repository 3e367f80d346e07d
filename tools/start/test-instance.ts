import { inRepository } from '../repository.ts';
import { emptyDataFolder } from './empty-data-folder.ts';
import type { Instance } from './instance-file.ts';
import { InstanceLauncher, type StartOptions } from './start-instance.ts';

/** Fixed, so that whatever a killed test run leaves behind is found and ended by the next. */
const FOLDER = inRepository('.tmp', 'test-instance');

export interface TestInstance {
  instance: Instance;
  stop(): Promise<void>;
}

/** A whole, new Tributary on free ports, for browser tests: data of its own, the same build as `make start`. */
export async function startTestInstance(options: Pick<StartOptions, 'isSeeded' | 'progress'> = {}): Promise<TestInstance> {
  await emptyDataFolder(FOLDER);
  const launcher = new InstanceLauncher({ dataFolder: FOLDER, port: 0, ...options });
  const stop = async () => {
    await launcher.stop();
    await emptyDataFolder(FOLDER);
  };
  try {
    return { instance: await launcher.start(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For the end of a run that may have been interrupted. */
export const endTestInstance = (): Promise<void> => emptyDataFolder(FOLDER);
