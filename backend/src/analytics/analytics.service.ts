import { Inject, Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/index.js';
import { Database } from '../core/database/database.js';
import { ENV, type Env } from '../core/config/env.js';
import { notFound } from '../core/http/problem.js';
import { Outbox, withoutOrganization } from '../core/outbox/outbox.js';
import { findEnds } from '../read-models/index.js';
import { queryOf, type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';
import type { EventProperties } from './analytics.dto.js';
import type { EventName } from './events.js';

export interface RaisedEvent {
  name: EventName;
  userId: string;
  properties?: Record<string, string | null>;
  /** An event with this key is raised only once. */
  onceKey?: string;
}

/** The event for a user's action on a source or destination of a provider. */
export const whatHappened = (
  name: EventName,
  { organizationId, uid }: Pick<Actor, 'organizationId' | 'uid'>,
  provider: string,
): RaisedEvent => ({
  name,
  userId: uid,
  properties: { company_id: organizationId, user_id: uid, type: provider },
});

/** An event about a connection. */
export interface ConnectionEvent {
  name: EventName;
  organizationId: string;
  connectionId: string;
  /** The acting user. Default: the connection's creator. */
  userId?: string | null;
  properties?: { type: string; error_message: string };
  onceKey?: string;
}

/** A client event within this time duplicates the product's own event. After it, the event counts as a new action. */
const DUPLICATE_MINUTES = 10;

type Traits = Record<string, string | number | boolean | null>;

/** The person whose traits are sent. */
type Person = Pick<Identity, 'uid' | 'email' | 'isEmailVerified'>;

/**
 * Events and traits are queued in the transaction of the change, so that an outage of the provider fails no request. Without a
 * configured provider nothing is queued.
 */
@Injectable()
export class AnalyticsService {
  private readonly isOn: boolean;

  constructor(
    @Inject(ENV) env: Env,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly outbox: Outbox,
  ) {
    this.isOn = env.CUSTOMER_IO_SITE_ID !== undefined;
  }

  /** Part of the caller's transaction. */
  async raise(query: TenantQuery, event: RaisedEvent): Promise<void> {
    await this.write(query, event, { onceKey: event.onceKey, userId: event.userId });
  }

  /** Raises an event with the providers of the connection's source and destination. */
  async raiseOfConnection(query: TenantQuery, event: ConnectionEvent): Promise<void> {
    if (!this.isOn) return;
    const { name, organizationId, connectionId, userId, onceKey } = event;
    const ends = await findEnds(query, connectionId);
    if (!ends) return;
    const { createdBy, source, destination } = ends;
    const who = userId ?? createdBy;
    const properties = { company_id: organizationId, user_id: who, source, destination, ...event.properties };
    await this.raise(query, { name, userId: who, properties, onceKey });
  }

  /**
   * Queues traits of a person in the caller's transaction; earlier traits of the same person are delivered first. An
   * e-mail address is sent only when it is verified, because the provider mails to it.
   */
  async identifyIn(query: TenantQuery, person: Person, { email: _, ...traits }: Traits): Promise<void> {
    if (!this.isOn) return;
    const { uid, email, isEmailVerified } = person;
    const content = { type: 'identify', userId: uid, traits: isEmailVerified ? { ...traits, email } : traits };
    await this.outbox.add(query, { kind: 'analytics', name: 'identify', content, sequence: `identify:${uid}` });
  }

  /** Queues a person's membership in an organization, in the caller's transaction. */
  identifyMember(query: TenantQuery, person: Person, organizationId: string): Promise<void> {
    return this.identifyIn(query, person, { company_id: organizationId });
  }

  /** Queues an event of a client. The server sets user and organization, and drops events that the product has raised itself. */
  async track(identity: Identity, name: EventName, properties: EventProperties = {}): Promise<void> {
    const organizationId = properties.company_id;
    if (organizationId !== undefined) await this.assertMember(identity, organizationId);
    const stamped = { ...properties, user_id: identity.uid, company_id: organizationId ?? null };
    const event = { name, userId: identity.uid, properties: stamped };
    await this.database.write(async (transaction, query) => {
      if (await isDuplicate(transaction, event, organizationId)) return;
      await this.write(organizationId ? queryOf(query, organizationId) : withoutOrganization(query), event);
    });
  }

  async identify(identity: Identity, traits: Traits = {}): Promise<void> {
    await this.database.write((_transaction, query) => this.identifyIn(withoutOrganization(query), identity, traits));
  }

  async identifyWithOrganization(actor: Actor): Promise<void> {
    const { organizationId, isVisit } = actor;
    // Platform staff who visit an organization are not its members.
    if (isVisit) throw notFound('The organization');
    await this.tenants.write(organizationId, (_transaction, query) => this.identifyMember(query, actor, organizationId));
  }

  private async write(
    query: TenantQuery,
    { name, userId, properties = {} }: RaisedEvent,
    keys: { onceKey?: string; userId?: string } = {},
  ): Promise<void> {
    if (!this.isOn) return;
    const content = { type: 'track', userId, event: name, properties, at: new Date().toISOString() };
    await this.outbox.add(query, { kind: 'analytics', name, content, ...keys });
  }

  private async assertMember(identity: Identity, organizationId: string): Promise<void> {
    const members = this.tenants.of(organizationId).member;
    const count = await members.count({ where: { userId: identity.uid, organization: { deletedAt: null } } });
    if (count === 0) throw notFound('The organization');
  }
}

/** An error in a client is never a duplicate of a run's error. */
const NEVER_DUPLICATE: EventName = 'Error Received';

/** Whether the product has raised the same event itself. Organizations are compared only when both events have one. */
async function isDuplicate(
  transaction: Prisma.TransactionClient,
  { name, userId }: RaisedEvent,
  organizationId: string | undefined,
): Promise<boolean> {
  if (name === NEVER_DUPLICATE) return false;
  const since = new Date(Date.now() - DUPLICATE_MINUTES * 60_000);
  const sameOrganization = organizationId === undefined ? {} : { OR: [{ organizationId: null }, { organizationId }] };
  const raised = await transaction.outboxMessage.findFirst({
    where: { userId, name, createdAt: { gt: since }, ...sameOrganization },
    select: { id: true },
  });
  return raised !== null;
}
