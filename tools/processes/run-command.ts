import { spawn } from 'node:child_process';
import { childEnvironment, repositoryFolder } from '../repository.ts';
import { signalGroup } from './end-process.ts';

export interface CommandResult {
  isPassed: boolean;
  output: string;
  durationMs: number;
}

export interface CommandOptions {
  environment?: Record<string, string | undefined>;
  /** Called with each part of the command's output. */
  onOutput?: (text: string) => void;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Runs a command in the repository's folder until it ends. Does not throw if the command fails. */
export function runCommand(command: string, parameters: string[], options: CommandOptions = {}): Promise<CommandResult> {
  const startedAt = Date.now();
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const child = spawn(command, parameters, {
    cwd: repositoryFolder,
    env: childEnvironment(options.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const collect = (text: string) => {
    output += text;
    options.onOutput?.(text);
  };
  const kill = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
  const timeout = options.timeoutMs
    ? setTimeout(() => {
        collect(`\nStopped after the time limit of ${options.timeoutMs} ms\n`);
        kill();
      }, options.timeoutMs)
    : undefined;
  options.signal?.addEventListener('abort', kill);
  const finish = (isPassed: boolean) => {
    clearTimeout(timeout);
    options.signal?.removeEventListener('abort', kill);
    resolve({ isPassed, output, durationMs: Date.now() - startedAt });
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  child.once('error', (error) => {
    collect(`${error.message}\n`);
    finish(false);
  });
  child.once('close', (code) => finish(code === 0));
  return promise;
}
