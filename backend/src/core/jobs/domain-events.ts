import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { TenantQuery } from '../database/tenant-database.js';
import { defineJob, queueJob } from './define-job.js';
import { Jobs } from './jobs.js';

/** What modules tell each other, with the data of each event. Handlers may run more than once. */
interface EventData {
  /** An external system pushed new events to a custom app. */
  'push.received': { organizationId: string; appId: string };
}
type EventName = keyof EventData;

const deliverEvent = defineJob(
  'deliver-event',
  z.object({ name: z.custom<EventName>((name) => typeof name === 'string'), data: z.record(z.string(), z.string()) }),
);

/**
 * Durable events between modules. An event is a job row in the transaction of its cause: it is delivered if and only if the cause
 * commits, also when the process crashes after the commit. A failed handler is retried.
 */
@Injectable()
export class DomainEvents implements OnModuleInit {
  private readonly handlers = new Map<EventName, ((data: never) => Promise<void>)[]>();

  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.register(deliverEvent.name, async (payload) => {
      const { name, data } = deliverEvent.schema.parse(payload);
      for (const handle of this.handlers.get(name) ?? []) await handle(data as never);
    });
  }

  /** @param key events with an equal key that were not delivered yet become one */
  async emit<Name extends EventName>(query: TenantQuery, name: Name, data: EventData[Name], key?: string): Promise<void> {
    await queueJob(query, deliverEvent, { name, data: { ...data } }, { key: key && `event:${name}:${key}` });
  }

  on<Name extends EventName>(name: Name, handle: (data: EventData[Name]) => Promise<void>): void {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handle]);
  }
}
