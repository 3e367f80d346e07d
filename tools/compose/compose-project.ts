import { rmSync } from 'node:fs';
import {
  type ContainerRuntimeClient,
  DockerComposeEnvironment,
  getContainerRuntimeClient,
  type StartedDockerComposeEnvironment,
} from 'testcontainers';
import { inRepository } from '../repository.ts';
import { ContainerLogs } from './container-logs.ts';
import { copyRepository } from './copy-repository.ts';

const FILE = 'docker-compose.yml';
/** The same for all tests: each one removes what a killed one has left, and they use the same ports. */
const NAME = 'tributary-test';
/** Until all health checks succeed. Only ends what hangs. */
const HEALTHY_TIMEOUT_MS = 300_000;

type Inspected = Awaited<ReturnType<ContainerRuntimeClient['container']['inspect']>>;
interface Parts {
  client: ContainerRuntimeClient;
  folder: string;
  logs: ContainerLogs;
}

/** The services of docker-compose.yml, started from a copy of the repository with their own containers and volumes. */
export class ComposeProject {
  readonly #parts: Parts;
  readonly #started: StartedDockerComposeEnvironment;

  private constructor(parts: Parts, started: StartedDockerComposeEnvironment) {
    this.#parts = parts;
    this.#started = started;
  }

  /**
   * `docker compose up --detach --build`, then waits for the health checks.
   * @param prepare writes the settings into the copy of the repository
   * @param profile default: the services without a profile
   */
  static async start(prepare: (folder: string) => void, profile?: 'demo'): Promise<ComposeProject> {
    const client = await getContainerRuntimeClient();
    const folder = copyRepository();
    prepare(folder);
    await down(client, folder);
    const logs = new ContainerLogs(client, NAME, inRepository('.tmp', 'container-logs', profile ?? 'product'));
    const parts = { client, folder, logs };
    const environment = new DockerComposeEnvironment(folder, FILE)
      .withProjectName(NAME)
      .withProfiles(...(profile ? [profile] : []))
      .withBuild()
      .withStartupTimeout(HEALTHY_TIMEOUT_MS)
      // Testcontainers' own cleanup also removes the image, which the workflow scans afterwards.
      .withAutoCleanup(false);
    try {
      return new ComposeProject(parts, await environment.up());
    } catch (error) {
      await remove(parts).catch(() => undefined);
      throw error;
    }
  }

  /** Containers, volumes and the copy. The image stays. */
  remove(): Promise<void> {
    return remove(this.#parts);
  }

  /** The container of each service, also the ended ones. */
  async inspect(): Promise<Map<string, Inspected>> {
    const { container } = this.#parts.client;
    const filters = { label: [`com.docker.compose.project=${NAME}`] };
    const listed = await container.dockerode.listContainers({ all: true, filters });
    const services = listed.map(async ({ Id, Labels }) => {
      const inspected = await container.inspect(container.getById(Id));
      return [Labels['com.docker.compose.service'] ?? Id, inspected] as const;
    });
    return new Map(await Promise.all(services));
  }

  async execute(service: string, ...command: string[]): Promise<{ exitCode: number; output: string }> {
    return this.#started.getContainer(`${service}-1`).exec(command);
  }

  /** Names of the containers whose output contains one of the values. */
  containersThatPrint(values: string[]): string[] {
    const outputs = [...this.#parts.logs.read()];
    return outputs.filter(([, output]) => values.some((value) => output.includes(value))).map(([name]) => name);
  }
}

async function down(client: ContainerRuntimeClient, folder: string): Promise<void> {
  // Without the profile, Compose keeps the containers of the demo.
  const options = { filePath: folder, files: FILE, projectName: NAME, composeOptions: ['--profile', 'demo'] };
  await client.compose.down(options, { removeVolumes: true, timeout: 0 });
}

async function remove({ client, folder, logs }: Parts): Promise<void> {
  logs.stop();
  await down(client, folder);
  rmSync(folder, { recursive: true, force: true });
}
