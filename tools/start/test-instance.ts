import path from 'node:path';
import { inRepository } from '../repository.ts';
import { testDataFolder } from '../test-data.ts';
import { emptyDataFolder } from './empty-data-folder.ts';
import type { Instance } from './instance-file.ts';
import { InstanceLauncher, type StartOptions } from './start-instance.ts';

/** Fixed, so that the next test run finds and stops processes of a killed one. */
const NAMES = {
  free: 'test-instance',
  billed: 'test-instance-billed',
  extended: 'test-instance-extended',
  portfolio: 'test-instance-portfolio',
} as const;

export const testInstanceFolder = (kind: keyof typeof NAMES): string =>
  path.join(testDataFolder(inRepository('.tmp')), NAMES[kind]);

export interface TestInstance {
  instance: Instance;
  /** Until the demo has all its connections, with `hasPortfolio`. */
  portfolio(): Promise<void>;
  stop(): Promise<void>;
}

type TestOptions = Pick<StartOptions, 'isSeeded' | 'hasPortfolio' | 'isBilled' | 'extension' | 'progress'>;

function kindOf({ isBilled, extension, hasPortfolio }: TestOptions): keyof typeof NAMES {
  if (isBilled) return 'billed';
  if (extension) return 'extended';
  return hasPortfolio ? 'portfolio' : 'free';
}

/** Starts a new instance for browser tests: free ports, its own data, the same build as `make start`. */
export async function startTestInstance(options: TestOptions = {}): Promise<TestInstance> {
  const dataFolder = testInstanceFolder(kindOf(options));
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
  for (const kind of Object.keys(NAMES) as (keyof typeof NAMES)[]) await emptyDataFolder(testInstanceFolder(kind));
}
