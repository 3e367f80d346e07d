import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { choosePort } from '../../ports.ts';
import { inRepository, repositoryFolder } from '../../repository.ts';
import { type ComposeService, imageOf, readCompose, servicesOf } from './compose-services.ts';

/** Ports of the profile demo, and of the emulator's hub and log in firebase.json. */
const PORTS = [3000, 3010, 3020, 3025, 4400, 4500, 5432, 9099, 13000, 13010, 13020, 19099];

/** The profile demo as it is executed in a folder of this machine: free ports, and paths of the folder. */
export class DemoFolder {
  readonly root: string;
  readonly services: Record<string, ComposeService>;
  readonly #ports: Map<string, number>;

  private constructor(root: string, ports: Map<string, number>) {
    this.root = root;
    this.#ports = ports;
    const compose = readCompose();
    const { environment, command } = imageOf('demo');
    // The web app may not be built when the backend's tests run alone. Without this setting, the server only serves the API.
    delete environment.STATIC_DIR;
    const translated = Object.entries(servicesOf(compose, 'demo')).map(([name, service]) => {
      const whole = { command, ...service, environment: { ...environment, ...service.environment } };
      return [name, JSON.parse(this.#translate(JSON.stringify(whole))) as ComposeService];
    });
    this.services = Object.fromEntries(translated) as Record<string, ComposeService>;
    for (const [name, { file }] of Object.entries(compose.secrets)) this.#place(name, file);
    const settings = readFileSync(inRepository('firebase.json'), 'utf8');
    writeFileSync(path.join(root, 'firebase.json'), this.#translate(settings));
  }

  static async create(root: string): Promise<DemoFolder> {
    // As root, PostgreSQL runs as another user, which must be able to read the folder.
    chmodSync(root, 0o755);
    mkdirSync(path.join(root, 'deploy'));
    const script = path.join(root, 'deploy', 'demo-secrets.sh');
    cpSync(inRepository('deploy', 'demo-secrets.sh'), script);
    execFileSync('sh', [script], { stdio: 'ignore' });
    const ports = new Map<string, number>();
    for (const port of PORTS) ports.set(String(port), await choosePort(0, new Set(ports.values())));
    return new DemoFolder(root, ports);
  }

  port(name: number): number {
    return this.#ports.get(String(name))!;
  }

  secret(name: string): string {
    return readFileSync(path.join(this.root, 'run', name), 'utf8').trim();
  }

  /** Of the servers as browsers reach them. */
  addresses(): { product: string; auth: string; mail: string; sandbox: string; email: string; password: string } {
    const at = (port: number) => `http://127.0.0.1:${this.port(port)}`;
    const email = String(this.services['demo-api']!.environment!.DEMO_EMAIL);
    const [product, auth, mail, sandbox] = [at(13000), at(19099), at(13020), at(13010)] as const;
    return { product, auth, mail, sandbox, email, password: this.secret('demo_password') };
  }

  /** Where Compose mounts it. */
  #place(name: string, file: string): void {
    mkdirSync(path.join(this.root, 'run'), { recursive: true });
    writeFileSync(path.join(this.root, 'run', name), this.#translate(readFileSync(path.join(this.root, file), 'utf8')));
  }

  #translate(text: string): string {
    return text
      .replaceAll(/\b\d{4,5}\b/g, (number) => String(this.#ports.get(number) ?? number))
      .replaceAll(/(?<=")\/tmp\b/g, path.join(this.root, 'home'))
      .replaceAll('0.0.0.0', '127.0.0.1')
      .replaceAll('/app/firebase.json', path.join(this.root, 'firebase.json'))
      .replaceAll('/app/', repositoryFolder)
      .replaceAll('/run/secrets/', `${path.join(this.root, 'run')}/`)
      .replaceAll('/data/', `${path.join(this.root, 'data')}/`)
      .replaceAll('$$', '$');
  }

  logs(): string[] {
    return readdirSync(this.root).filter((name) => name.endsWith('.log'));
  }
}
