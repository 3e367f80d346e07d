import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { TenantQuery } from '../database/tenant-database.js';
import { defineJob, queueJob } from './define-job.js';
import { Jobs } from './jobs.js';

// SQL: the clock of the database.

const inOrganization = z.object({ organizationId: z.uuid() });
const ofApp = inOrganization.extend({ appId: z.uuid() });
const ofConnection = inOrganization.extend({ connectionId: z.uuid() });
/** `changedAt` is the time of the change by the database's clock, see `databaseNow`. */
const change = { actor: z.string(), changedAt: z.iso.datetime() };

/** Events between modules, with their data. Handlers may run more than once. */
const EVENTS = {
  /** An external system pushed new events to a custom app. */
  'push.received': ofApp,
  /** An app that had lost its access has it again. `actor` is null if no user signed in: a renewal works again. */
  'app.reconnected': ofApp.extend({ actor: z.string().nullable() }),
  /** The accounts of an app with a key were listed. */
  'app.accounts_listed': ofApp,
  /** The settings of a destination were changed, so its loaded rows may be elsewhere. */
  'destination.moved': inOrganization.extend({ destinationId: z.uuid(), ...change }),
  /** A connection writes other columns, or writes them in another way: its days have to be loaded again. */
  'connection.fields_changed': ofConnection.extend(change),
  /** A connection got a further stream or an earlier first day: the new days have to be loaded. */
  'connection.days_added': ofConnection.extend({ actor: z.string() }),
  /** A source got further accounts: their days have to be loaded. */
  'source.accounts_added': inOrganization.extend({ sourceId: z.uuid(), actor: z.string() }),
  /** An organization can start runs again, after its subscription had lapsed. */
  'access.opened': inOrganization.extend({ openedAt: z.iso.datetime() }),
  /** A run of a connection failed. */
  'run.failed': ofConnection,
  /** An alert was opened or recovered. */
  'alert.changed': inOrganization.extend({ alertId: z.uuid() }),
  /** A run of a backfill has ended. */
  'run.ended': ofConnection.extend({ runId: z.uuid() }),
  /** A run of a connection with a freshness target has ended, so days may be complete. */
  'coverage.changed': ofConnection,
  /** The freshness target of a connection was set, changed or removed, or it or its organization was deleted or restored. */
  'freshness.target_changed': ofConnection,
  /** Stripe announced events of a payment app. */
  'payment.received': ofApp,
};
type EventName = keyof typeof EVENTS;
type EventData<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;

const deliverEvent = defineJob(
  'deliver-event',
  z.object({ name: z.enum(Object.keys(EVENTS) as EventName[]), data: z.record(z.string(), z.string().nullable()) }),
);

/**
 * Durable events between modules. An event is a job row in the transaction of its cause: it is delivered if and only if the cause
 * commits, also when the process crashes after the commit. A failed handler is retried, and so is an event that only a newer release
 * knows.
 */
@Injectable()
export class DomainEvents implements OnModuleInit {
  private readonly handlers = new Map<EventName, ((data: Record<string, string | null>) => Promise<void>)[]>();

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.handle(deliverEvent, async ({ name, data }) => {
      for (const handle of this.handlers.get(name) ?? []) await handle(data);
    });
  }

  /** @param key events with an equal key that were not delivered yet become one */
  async emit<Name extends EventName>(query: TenantQuery, name: Name, data: EventData<Name>, key?: string): Promise<void> {
    await queueJob(query, deliverEvent, { name, data: { ...data } }, { key: key && `event:${name}:${key}` });
  }

  on<Name extends EventName>(name: Name, handle: (data: EventData<Name>) => Promise<void>): void {
    const parseAndHandle = (data: Record<string, string | null>) => handle(EVENTS[name].parse(data) as EventData<Name>);
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), parseAndHandle]);
  }
}

/** When the caller's transaction began, by the clock that also stamps rows. Clocks of processes may differ. */
export async function databaseNow(query: TenantQuery): Promise<string> {
  const [row] = await query<{ at: Date }>('select now() as at from organizations where id = $1');
  if (!row) throw new Error('The organization does not exist.');
  return row.at.toISOString();
}
