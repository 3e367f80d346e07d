import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ContainerRuntimeClient } from 'testcontainers';

const POLL_MS = 250;

/**
 * Writes the output of each container of a Compose project to a file. When a start fails, Testcontainers removes the containers at once, so
 * the output is read while they run.
 */
export class ContainerLogs {
  readonly #client: ContainerRuntimeClient;
  readonly #project: string;
  readonly #folder: string;
  readonly #followed = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(client: ContainerRuntimeClient, project: string, folder: string) {
    this.#client = client;
    this.#project = project;
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    // Without an engine, the test fails for another reason.
    this.#timer = setInterval(() => void this.#followNew().catch(() => undefined), POLL_MS);
  }

  async #followNew(): Promise<void> {
    const filters = { label: [`com.docker.compose.project=${this.#project}`] };
    for (const { Id, Names, State } of await this.#client.container.dockerode.listContainers({ all: true, filters })) {
      // Docker does not follow a container that has not started.
      if (State === 'created' || this.#followed.has(Id)) continue;
      this.#followed.add(Id);
      const file = path.join(this.#folder, `${path.basename(Names[0] ?? Id)}.log`);
      const output = await this.#client.container.logs(this.#client.container.getById(Id));
      output.on('data', (text: string) => appendFileSync(file, text)).on('error', () => undefined);
    }
  }

  /** By name of the container. */
  read(): Map<string, string> {
    const files = readdirSync(this.#folder);
    return new Map(files.map((file) => [path.basename(file, '.log'), readFileSync(path.join(this.#folder, file), 'utf8')]));
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
