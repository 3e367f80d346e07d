import { Inject, Injectable } from '@nestjs/common';
import { type ConnectionEntry, ConnectionsQueries } from '../connections/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Database } from '../core/database/database.js';
import { Problem } from '../core/http/problem.js';
import { findDemoConnection } from '../read-models/index.js';
import { SyncService } from '../sync/index.js';
import type { DemoFaultName, DemoTour } from './demo.dto.js';
import { SandboxFaults } from './sandbox-faults.js';

const SHOWN_RUNS = 5;

interface Tour {
  organizationId: string;
  connection: ConnectionEntry;
}

/** The tour shows the first connection of the demo user. Its numbers are those of the product, read like any other connection. */
@Injectable()
export class DemoService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: Database,
    private readonly connections: ConnectionsQueries,
    private readonly sync: SyncService,
    private readonly faults: SandboxFaults,
  ) {}

  async getTour(): Promise<DemoTour> {
    const { organizationId, connection } = await this.find();
    const [runs, isLosingRows] = await Promise.all([
      this.sync.listLatest(organizationId, connection.id, SHOWN_RUNS),
      this.faults.isLosingRows(),
    ]);
    return { connection, runs, isLosingRows };
  }

  async causeFault(name: DemoFaultName): Promise<void> {
    const tour = await this.findIdle();
    const [account] = tour.connection.source.accounts;
    if (!account) throw demoOff();
    await this.faults.cause(name, account);
    await this.startRun(tour);
  }

  async repair(): Promise<void> {
    const tour = await this.findIdle();
    await this.faults.stopLosingRows();
    await this.startRun(tour);
  }

  private async find(): Promise<Tour> {
    const { IS_DEMO, DEMO_EMAIL, SANDBOX_URL } = this.env;
    const found = IS_DEMO && DEMO_EMAIL && SANDBOX_URL ? await findDemoConnection(this.database, DEMO_EMAIL) : undefined;
    if (!found) throw demoOff();
    const connection = await this.connections.getConnection(found.organizationId, found.connectionId);
    return { organizationId: found.organizationId, connection };
  }

  /** Visitors have no account. One run at a time bounds what they can cause. */
  private async findIdle(): Promise<Tour> {
    const tour = await this.find();
    if (tour.connection.desired === 'paused')
      throw new Problem('connection.paused', {
        detail: 'The connection of the tour is paused.',
        action: 'Sign in to the demo and resume it',
      });
    if (tour.connection.activeRun)
      throw new Problem('demo.busy', {
        detail: 'A run of the demo is active.',
        action: 'Try again when it has ended',
        retryAfterSeconds: 5,
      });
    return tour;
  }

  private async startRun({ organizationId, connection }: Tour): Promise<void> {
    await this.sync.start({ organizationId, connectionId: connection.id, kind: 'manual', trigger: 'user', actor: null });
  }
}

const demoOff = (): Problem =>
  new Problem('demo.off', {
    detail: 'This instance has no demo, or its data is still being created.',
    action: 'Start a demo with make start',
  });
