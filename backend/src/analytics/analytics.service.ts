import { Inject, Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/index.js';
import { Database } from '../core/database/database.js';
import { ENV, type Env } from '../core/config/env.js';
import { notFound } from '../core/http/problem.js';
import { Outbox, withoutOrganization } from '../core/outbox/outbox.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
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
    const [ends] = await query<{ createdBy: string; source: string; destination: string }>(
      `select c.created_by as "createdBy", sa.provider::text as source, da.provider::text as destination
         from connections c
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps sa on sa.organization_id = s.organization_id and sa.id = s.app_id
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join apps da on da.organization_id = d.organization_id and da.id = d.app_id
        where c.organization_id = $1 and c.id = $2::uuid`,
      [connectionId],
    );
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
    const raiseOnce = async (query: TenantQuery): Promise<void> => {
      if (!(await isDuplicate(query, event))) await this.write(query, event);
    };
    if (organizationId) await this.tenants.transaction(organizationId, raiseOnce);
    else await this.database.transaction((query) => raiseOnce(withoutOrganization(query)));
  }

  async identify(identity: Identity, traits: Traits = {}): Promise<void> {
    await this.database.transaction((query) => this.identifyIn(withoutOrganization(query), identity, traits));
  }

  async identifyWithOrganization(actor: Actor): Promise<void> {
    const { organizationId, isVisit } = actor;
    // Platform staff who visit an organization are not its members.
    if (isVisit) throw notFound('The organization');
    await this.tenants.transaction(organizationId, (query) => this.identifyMember(query, actor, organizationId));
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
    const rows = await this.tenants.query(
      organizationId,
      `select from members m join organizations o on o.id = m.organization_id and o.deleted_at is null
        where m.organization_id = $1 and m.user_id = $2`,
      [identity.uid],
    );
    if (rows.length === 0) throw notFound('The organization');
  }
}

/** An error in a client is never a duplicate of a run's error. */
const NEVER_DUPLICATE: EventName = 'Error Received';

/** Whether the product has raised the same event itself. Organizations are compared only when both events have one. */
async function isDuplicate(query: TenantQuery, { name, userId }: RaisedEvent): Promise<boolean> {
  if (name === NEVER_DUPLICATE) return false;
  const raised = await query(
    `select from outbox_messages
      where user_id = $2 and name = $3 and created_at > now() - make_interval(mins => $4)
        and (organization_id is null or organization_id = coalesce($1::uuid, organization_id)) limit 1`,
    [userId, name, DUPLICATE_MINUTES],
  );
  return raised.length > 0;
}
