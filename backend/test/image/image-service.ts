import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { parse } from 'yaml';
import { eventually } from '../factories.js';
import { readFromRepository } from './dockerfile.js';
import type { Image } from './image-build.js';

/** Compose waits this long between SIGTERM and SIGKILL. */
const DEFAULT_GRACE_SECONDS = 10;
/**
 * The first process of a container ignores signals that it does not handle. So it ends with an exit code when it has nothing left to do, or
 * is killed after the grace period.
 */
const AS_FIRST_PROCESS = ['--import', 'data:text/javascript,process.on("SIGTERM",()=>{})'];

interface Service {
  command?: string[];
  environment?: Record<string, string | number>;
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
}

const { services } = parse(readFromRepository('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };

/** A service of docker-compose.yml, executed from the folder of the image, on a free port of 127.0.0.1. */
export class ImageService {
  output = '';
  private readonly service: Service;
  private child: ChildProcess | undefined;
  private stopping: Promise<number | null> | undefined;

  /** @param settings the content of .env */
  constructor(
    private readonly image: Image,
    private readonly name: string,
    private readonly port: number,
    private readonly settings: Record<string, string>,
  ) {
    const service = services[name];
    if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
    this.service = service;
  }

  /** @returns the exit code */
  async run(): Promise<number | null> {
    this.start();
    await this.ended();
    return this.exitCode;
  }

  start(): void {
    const [program, ...parameters] = this.service.command ?? this.image.command;
    if (program !== 'node') throw new Error(`${this.name} does not start with node`);
    const home = this.image.locate('/tmp');
    mkdirSync(home, { recursive: true });
    const { NODE_COMPILE_CACHE } = process.env;
    const env = { NODE_COMPILE_CACHE, TMPDIR: home, ...this.environment() };
    const child = spawn(process.execPath, [...AS_FIRST_PROCESS, ...parameters], { cwd: this.image.workdir, env });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (this.output += text.toString()));
    this.child = child;
  }

  /** With the health check of the service. */
  async untilHealthy(): Promise<void> {
    const [kind, , ...parameters] = this.service.healthcheck?.test ?? [];
    if (kind !== 'CMD') throw new Error(`${this.name} has no health check`);
    const check = parameters.map((word) => this.translate(word));
    const isHealthy = async (): Promise<boolean> => {
      if (this.hasEnded) throw new Error(`${this.name} has ended with ${this.exitCode}:\n${this.output}`);
      const [code] = (await once(spawn(process.execPath, check, { cwd: this.image.workdir }), 'exit')) as [number | null];
      return code === 0;
    };
    await eventually(isHealthy, (healthy) => healthy);
  }

  /** As `docker compose stop`. @returns the exit code; null: it was killed after the grace period */
  stop(): Promise<number | null> {
    return (this.stopping ??= this.terminate());
  }

  private async terminate(): Promise<number | null> {
    const seconds = Number.parseInt(this.service.stop_grace_period ?? String(DEFAULT_GRACE_SECONDS), 10);
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), seconds * 1000);
    this.child?.kill('SIGTERM');
    await this.ended();
    clearTimeout(timer);
    return this.exitCode;
  }

  private get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  private get hasEnded(): boolean {
    return !this.child || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private async ended(): Promise<void> {
    if (this.child && !this.hasEnded) await once(this.child, 'close');
  }

  /** The settings of the shell must not reach the product. */
  private environment(): Record<string, string> {
    const all = { ...this.image.environment, ...this.settings, ...this.service.environment };
    return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, this.translate(String(value))]));
  }

  private translate(text: string): string {
    const translated = text.replaceAll(/\b3000\b/g, String(this.port)).replaceAll('0.0.0.0', '127.0.0.1');
    return translated.startsWith('/') ? this.image.locate(translated) : translated;
  }
}
