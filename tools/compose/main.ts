/** make test-compose: builds the image and starts the services of docker-compose.yml, where Docker is available. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getContainerRuntimeClient } from 'testcontainers';
import { isMissingEngine } from '../docker/docker-engine.ts';
import { childEnvironment, inRepository, repositoryFolder } from '../repository.ts';

const { CI, DEBUG } = process.env;

async function isDockerAvailable(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch (error) {
    if (isMissingEngine(error)) return false;
    throw error;
  }
}

/** @returns the exit code */
async function runTests(): Promise<number> {
  const parameters = ['run', '--config', inRepository('tools', 'compose', 'vitest.config.ts'), ...process.argv.slice(2)];
  // A build takes minutes. Compose prints what it does.
  const env = childEnvironment({ DEBUG: DEBUG ?? 'testcontainers:compose' });
  const child = spawn('vitest', parameters, { cwd: repositoryFolder, stdio: 'inherit', env });
  // Ctrl-C also reaches the tests. This process ends after them.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

if (await isDockerAvailable()) process.exitCode = await runTests();
else {
  console.log('Docker is not available: the Compose test was not run.');
  // A workflow must not pass without the test.
  process.exitCode = CI && CI !== 'false' ? 1 : 0;
}
