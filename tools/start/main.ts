/** `make start`: builds and starts the product with everything it needs. */
import { parseArgs } from 'node:util';
import { inRepository } from '../repository.ts';
import type { Instance } from './instance-file.ts';
import { ConsoleProgress } from './progress.ts';
import { InstanceLauncher } from './start-instance.ts';

/** Reads BILLING like the product does: `BILLING=stripe make start`. */
function readBilling(text: string | undefined): boolean {
  if (text && text !== 'none' && text !== 'stripe') throw new Error(`Invalid BILLING "${text}". Use none or stripe`);
  return text === 'stripe';
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: inRepository('.data') },
    port: { type: 'string', default: process.env.PORT },
    'no-seed': { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
  },
});

function readPort(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`Invalid PORT "${text}". Use a number from 0 to 65535`);
  return port;
}

function describe({ url, demo, mailUrl, sandboxUrl }: Instance): string {
  const rows: [string, string][] = [['Open', url]];
  if (demo) rows.push(['Sign in as', demo.email], ['Password', demo.password]);
  rows.push(['Mail', mailUrl], ['Ad platform sandbox', sandboxUrl], ['Logs', `${values.data}/logs`]);
  const lines = rows.map(([label, value]) => `  ${label.padEnd(20)} ${value}`);
  return ['', 'Tributary is ready.', '', ...lines, '', 'Press Ctrl-C to stop. Data is kept until you run make reset.', ''].join(
    '\n',
  );
}

async function run(): Promise<void> {
  const progress = new ConsoleProgress();
  const options = {
    dataFolder: values.data,
    port: readPort(values.port),
    isSeeded: !values['no-seed'],
    hasPortfolio: true,
    isDevelopment: values.dev,
    isBilled: readBilling(process.env.BILLING),
  };
  const launcher = new InstanceLauncher({ ...options, progress });
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    await progress.step('Stopping', 'press Ctrl-C again to stop immediately', () => launcher.stop());
  };
  const onSignal = () => {
    if (isStopping) {
      launcher.kill();
      process.exit(130);
    }
    stop().then(() => process.exit(0), fail);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  try {
    progress.say(describe(await launcher.start()));
    launcher.portfolio().catch((error: unknown) => {
      if (!isStopping) progress.say(`The demo is incomplete and continues at the next start: ${messageOf(error)}`);
    });
  } catch (error) {
    // An interrupted start fails because its processes were stopped. This is not an error.
    if (isStopping) return;
    await stop();
    throw error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function fail(error: unknown): void {
  console.error(`\n${messageOf(error)}`);
  process.exit(1);
}

// A closed terminal must not end the launcher before its child processes.
process.stdout.on('error', () => {});
await run().catch(fail);
