import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

type Environment = Record<string, string>;

const BACKEND = path.resolve(import.meta.dirname, '..');
const PRODUCT = path.join(BACKEND, 'dist', 'src', 'main.js');
const SANDBOX = path.join(BACKEND, '..', 'sandbox', 'src', 'main.ts');

/** The processes of a drill. Only these are ever stopped, by their handles. */
export class Processes {
  private readonly started = new Set<ChildProcess>();

  startProduct(environment: Environment): ChildProcess {
    return this.spawn([PRODUCT], environment, 'ignore');
  }

  /** Applies the migrations. */
  async migrate(environment: Environment): Promise<void> {
    const child = this.startProduct({ ...environment, ROLE: 'migrate' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the migrations ended with ${code}`);
  }

  async startSandbox(): Promise<string> {
    const child = this.spawn([SANDBOX], { SANDBOX_PORT: '0' }, 'pipe');
    if (!child.stdout) throw new Error('the sandbox prints nothing');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return (JSON.parse(line) as { url: string }).url;
  }

  async kill(child: ChildProcess): Promise<void> {
    if (!isRunning(child)) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.started].map((child) => this.kill(child)));
  }

  private spawn(parameters: string[], environment: Environment, output: 'pipe' | 'ignore'): ChildProcess {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const child = spawn(process.execPath, parameters, {
      stdio: ['ignore', output, 'inherit'],
      env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...environment },
    });
    this.started.add(child);
    child.once('exit', () => this.started.delete(child));
    return child;
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
