import { rmSync } from 'node:fs';
import { writeJsonFile } from '../json-file.ts';
import { addresses, DEMO_EMAIL, DEMO_PASSWORD, FIREBASE_PROJECT_ID, type Plan } from './plan.ts';
import type { Databases } from './postgres.ts';
import type { ProductRole } from './product.ts';
import type { Demo } from './seed-demo.ts';

export interface Instance {
  url: string;
  authEmulatorUrl: string;
  firebaseProjectId: string;
  sandboxUrl: string;
  databaseUrl: string;
  warehouseUrl: string;
  mailUrl: string;
  metricsUrl: string;
  /** Null without demo data. */
  demo: { email: string; password: string; organizationId: string; connectionId: string } | null;
  processes: Partial<Record<ProductRole, number>>;
}

/** `.data/instance.json`: exists only while the instance is ready. */
export class InstanceFile {
  readonly #file: string;
  #processes: Partial<Record<ProductRole, number>> = {};
  #instance: Instance | null = null;

  constructor(file: string) {
    this.#file = file;
    this.remove();
  }

  setProcess(role: ProductRole, pid: number): void {
    this.#processes = { ...this.#processes, [role]: pid };
    if (!this.#instance) return;
    this.#instance = { ...this.#instance, processes: this.#processes };
    writeJsonFile(this.#file, this.#instance, 0o600);
  }

  write(plan: Plan, databases: Databases, demo: Demo | null): Instance {
    const { product, auth, sandbox, mail, metrics } = addresses(plan);
    this.#instance = {
      url: product,
      authEmulatorUrl: auth,
      firebaseProjectId: FIREBASE_PROJECT_ID,
      sandboxUrl: sandbox,
      databaseUrl: databases.product,
      warehouseUrl: databases.warehouse,
      mailUrl: mail,
      metricsUrl: metrics,
      demo: demo && { email: DEMO_EMAIL, password: DEMO_PASSWORD, ...demo },
      processes: this.#processes,
    };
    writeJsonFile(this.#file, this.#instance, 0o600);
    return this.#instance;
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}
