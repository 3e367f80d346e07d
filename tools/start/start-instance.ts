import { stopPostgres } from '../postgres/start-postgres.ts';
import { ProcessRecord } from '../processes/process-record.ts';
import { SupervisedProcess, type ProcessPlan } from '../processes/supervised-process.ts';
import { planAuthEmulator, saveUsersRegularly } from './auth-emulator.ts';
import { registerWebhook } from './billing.ts';
import { BACKEND, build, FRONTEND } from './build.ts';
import { openDataFolder } from './data-folder.ts';
import { signInDemoUser } from './demo-user.ts';
import { InstanceFile, type Instance } from './instance-file.ts';
import { migrate } from './migrate.ts';
import { addresses, type Extension, type Plan } from './plan.ts';
import { choosePorts } from './ports.ts';
import { type Databases, killInstancePostgres, postgresFolder, prepareDatabases, startInstancePostgres } from './postgres.ts';
import { planBackendWatch, planFrontendDev, planProduct, productSettings, type ProductRole } from './product.ts';
import { silentProgress, type Progress } from './progress.ts';
import { planMail, planSandbox } from './sandbox.ts';
import { loadSecrets } from './secrets.ts';
import { ProductClient } from './product-client.ts';
import type { DemoContext } from './portfolio/resources.ts';
import { restoreFaults, seedPortfolio } from './portfolio/seed-portfolio.ts';
import { seedDemo, type Demo } from './seed-demo.ts';
import { StopOrder, type Stage } from './stop-order.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface StartOptions {
  dataFolder: string;
  /** 0: free ports for all, to run several instances. Undefined: the stored or default ports. */
  port?: number;
  isSeeded?: boolean;
  /** Adds connections in every health to the demo, after the start. */
  hasPortfolio?: boolean;
  isDevelopment?: boolean;
  /** Organizations need a subscription at the simulated Stripe. */
  isBilled?: boolean;
  extension?: Extension;
  progress?: Progress;
}

const READY_TIMEOUT_MS = 180_000;

/** Starts and stops a complete instance: database, Auth emulator, sandbox, mail catcher, API and worker. */
export class InstanceLauncher {
  readonly #options: StartOptions;
  readonly #progress: Progress;
  readonly #stops = new StopOrder();
  /** Stops builds in progress. */
  readonly #commands = new AbortController();
  /** Only a second Ctrl-C interrupts a migration. */
  readonly #migration = new AbortController();
  #migrating: Promise<void> = Promise.resolve();
  readonly #record: ProcessRecord;
  readonly #file: InstanceFile;
  readonly #data;
  #portfolio: Promise<void> = Promise.resolve();

  constructor(options: StartOptions) {
    this.#options = options;
    this.#progress = options.progress ?? silentProgress;
    this.#data = openDataFolder(options.dataFolder);
    this.#record = new ProcessRecord(this.#data.processesFile);
    const running = this.#record.findRunningLauncher();
    if (running)
      throw new Error(`Tributary is already running in ${this.#data.root} (process ${running}). Stop it with Ctrl-C first`);
    this.#file = new InstanceFile(this.#data.instanceFile);
  }

  async start(): Promise<Instance> {
    const stale = await this.#record.endStale();
    // Releases PostgreSQL's port before ports are chosen. Destinations store this port.
    await stopPostgres(postgresFolder(this.#data));
    if (stale.length > 0) this.#progress.say(`Stopped processes of an earlier start: ${stale.join(', ')}`);
    this.#record.claim();
    const { ports, replaced } = await choosePorts(this.#data.portsFile, this.#options.port);
    replaced.forEach((message) => this.#progress.say(message));
    const isDevelopment = this.#options.isDevelopment ?? false;
    const isBilled = this.#options.isBilled ?? false;
    const secrets = loadSecrets(this.#data.secretsFile);
    const extension = this.#options.extension ?? null;
    const plan: Plan = { data: this.#data, ports, secrets, isDevelopment, isBilled, extension };
    const starting = this.#startDatabase(plan);
    await Promise.all([
      this.#prepareDatabase(plan, starting),
      this.#startSandbox(plan, starting),
      this.#startAuth(plan),
      this.#startMail(plan),
    ]);
    const databases = await starting;
    if (this.#options.hasPortfolio) await restoreFaults(addresses(plan).sandbox, plan.data.portfolioFile);
    await this.#startProduct(plan, databases);
    const demo = this.#options.isSeeded === false ? null : await this.#seed(plan, databases.warehouse);
    if (demo && this.#options.hasPortfolio) this.#portfolio = this.#seedPortfolio(plan, databases, demo);
    // An error is reported to the caller of portfolio(), if there is one.
    this.#portfolio.catch(() => {});
    return this.#file.write(plan, databases, demo);
  }

  /** Until the demo has all connections. It can be used before. */
  portfolio(): Promise<void> {
    return this.#portfolio;
  }

  async stop(): Promise<void> {
    this.#file.remove();
    this.#commands.abort();
    await this.#migrating.catch(() => {});
    await this.#stops.stopAll();
    this.#record.clear();
  }

  kill(): void {
    this.#commands.abort();
    this.#migration.abort();
    this.#stops.killAll();
  }

  #startDatabase(plan: Plan): Promise<Databases> {
    const starting = startInstancePostgres(plan, (message) => this.#progress.say(message));
    // Added before the server has started: a stop in the meantime waits for the start and then stops the server.
    const stop = () =>
      starting.then(
        (started) => started.stop(),
        () => {},
      );
    this.#stops.add('postgres', { stop, kill: () => killInstancePostgres(plan.data) });
    return this.#progress.step('PostgreSQL 18', 'starting the server', async () =>
      prepareDatabases(await starting, plan.secrets),
    );
  }

  async #prepareDatabase(plan: Plan, starting: Promise<Databases>): Promise<void> {
    const [databases] = await Promise.all([starting, this.#build()]);
    const settings = productSettings(plan, databases);
    this.#commands.signal.throwIfAborted();
    this.#migrating = this.#progress.step('Database schema', 'applying migrations', () =>
      migrate(settings, databases.productOwner, this.#migration.signal),
    );
    await this.#migrating;
  }

  async #startSandbox(plan: Plan, starting: Promise<Databases>): Promise<void> {
    const processPlan = planSandbox(plan, (await starting).warehouseForFaults);
    await this.#progress.step('Ad platform sandbox', 'starting', () =>
      this.#launch('sandbox', processPlan, addresses(plan).sandbox),
    );
  }

  #startAuth(plan: Plan): Promise<void> {
    return this.#progress.step('Sign-in (Firebase Auth emulator)', 'starting, takes 5 to 10 s', async () => {
      await this.#launch('auth', planAuthEmulator(plan), addresses(plan).auth);
      const endSaving = saveUsersRegularly(plan);
      this.#stops.add('auth', { stop: async () => endSaving(), kill: endSaving });
    });
  }

  #startMail(plan: Plan): Promise<void> {
    return this.#progress.step('Mail catcher', 'starting', () => this.#launch('sandbox', planMail(plan), addresses(plan).mail));
  }

  async #build(): Promise<void> {
    const parts = this.#options.isDevelopment ? [BACKEND] : [BACKEND, FRONTEND];
    const buildPart = (part: (typeof parts)[number]) =>
      this.#progress.step(`Build ${part.workspace}`, 'building changed sources', () => build(part, this.#commands.signal));
    await Promise.all(parts.map(buildPart));
  }

  #startProduct(plan: Plan, databases: Databases): Promise<unknown> {
    const planRole = (role: ProductRole) =>
      planProduct(plan, role, databases, {
        onStart: (pid) => this.#file.setProcess(role, pid),
        onRestart: (message) => this.#progress.say(message),
      });
    return this.#progress.step('Tributary', 'starting the API and the worker', async () => {
      const api = plan.isDevelopment ? `http://127.0.0.1:${plan.ports.api}` : addresses(plan).product;
      if (plan.isDevelopment) await this.#launch('product', planBackendWatch(plan), null);
      await Promise.all([
        this.#launch('product', planRole('api'), `${api}/readyz`),
        this.#launch('product', planRole('worker'), null),
      ]);
      if (plan.isDevelopment) await this.#launch('product', planFrontendDev(plan), addresses(plan).product);
      if (plan.isBilled) await registerWebhook(plan);
    });
  }

  #seed(plan: Plan, warehouseUrl: string) {
    return this.#progress.step('Demo organization', 'creating demo data', async () => {
      const { auth, product } = addresses(plan);
      return seedDemo(product, await signInDemoUser(auth), warehouseUrl);
    });
  }

  async #seedPortfolio(plan: Plan, databases: Databases, demo: Demo): Promise<void> {
    const { auth, product, sandbox } = addresses(plan);
    const { idToken } = await signInDemoUser(auth);
    const context: DemoContext = {
      client: new ProductClient(product, idToken),
      base: `/api/v1/organizations/${demo.organizationId}`,
      organizationId: demo.organizationId,
      sandboxUrl: sandbox,
      warehouseUrl: databases.warehouse,
      databaseUrl: databases.productOwner,
      signal: this.#commands.signal,
    };
    await seedPortfolio(context, demo.connectionId, plan.data.portfolioFile);
  }

  /** Starts all processes, so that none starts while the others are being stopped. */
  async #launch(stage: Stage, processPlan: ProcessPlan, readyAddress: string | null): Promise<void> {
    if (this.#stops.isStopping) throw new Error('The start was interrupted');
    const child = new SupervisedProcess(processPlan, this.#record);
    this.#stops.add(stage, child);
    child.start();
    if (readyAddress) await waitUntilReady(child, readyAddress, READY_TIMEOUT_MS);
  }
}
