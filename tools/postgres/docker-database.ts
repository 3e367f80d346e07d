import { randomBytes } from 'node:crypto';
import { isMissingEngine } from '../docker/docker-engine.ts';

/** The same image as in docker-compose.yml. */
const IMAGE = 'postgres:18.6@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae';

/** Its message says what to do. A stack trace does not help. */
export class DockerNotAvailable extends Error {
  override name = 'DockerNotAvailable';
}

/**
 * Starts PostgreSQL in a container, which Testcontainers removes also if this process is killed.
 * @param settings postgresql.conf settings, by name
 */
export async function startInDocker(settings: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  // Other test runs do not load it.
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = new PostgreSqlContainer(IMAGE)
    .withDatabase('test')
    .withUsername('postgres')
    // Testcontainers opens the port on all addresses of the machine.
    .withPassword(randomBytes(24).toString('hex'))
    .withCommand(['postgres', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]);
  const server = await container.start().catch((cause: unknown) => {
    if (!isMissingEngine(cause)) throw cause;
    const advice = 'Start Docker, or unset TEST_DATABASE to use the PostgreSQL from npm';
    throw new DockerNotAvailable(`TEST_DATABASE=docker, but Docker is not available. ${advice}`, { cause });
  });
  return {
    url: server.getConnectionUri(),
    stop: async () => {
      await server.stop();
    },
  };
}
