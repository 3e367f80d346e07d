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
  /** An event with this key is raised once, for ever. */
  onceKey?: string;
}

/** What a person did to a thing of some provider's. */
export const whatHappened = (
  name: EventName,
  { organizationId, uid }: Pick<Actor, 'organizationId' | 'uid'>,
  provider: string,
): RaisedEvent => ({
  name,
  userId: uid,
  properties: { company_id: organizationId, user_id: uid, type: provider },
});

/** Something that happened to a connection. */
export interface ConnectionEvent {
  name: EventName;
  organizationId: string;
  connectionId: string;
  /** Who did it; of what nobody did, whose connection it is. */
  userId?: string | null;
  properties?: { type: string; error_message: string };
  onceKey?: string;
}

/** A client tells of what it has just done: what is older is another doing of the same name. */
const TOLD_MINUTES = 10;

type Traits = Record<string, string | number | boolean | null>;

/** Whose traits they are, and where the client mails to. */
type Person = Pick<Identity, 'uid' | 'email' | 'isEmailVerified'>;

/**
 * Events and traits are queued with the change they tell of; an outage of the provider fails no call. Where no provider is set,
 * nothing is written: it would wait for ever.
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

  /** The same, with the providers at both ends. */
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

  /** That a person belongs to an organization; part of the caller's transaction. */
  identifyMember(query: TenantQuery, person: Person, organizationId: string): Promise<void> {
    return this.identifyIn(query, person, { company_id: organizationId });
  }

  /** An event of a client. Who and where is stamped here, whatever it says; what the product has told of itself is not told twice. */
  async track(identity: Identity, name: EventName, properties: EventProperties = {}): Promise<void> {
    const organizationId = properties.company_id;
    if (organizationId !== undefined) await this.assertMember(identity, organizationId);
    const stamped = { ...properties, user_id: identity.uid, company_id: organizationId ?? null };
    const event = { name, userId: identity.uid, properties: stamped };
    const tell = async (query: TenantQuery): Promise<void> => {
      if (!(await hasBeenTold(query, event))) await this.write(query, event);
    };
    if (organizationId) await this.tenants.transaction(organizationId, tell);
    else await this.database.transaction((query) => tell(withoutOrganization(query)));
  }

  async identify(identity: Identity, traits: Traits = {}): Promise<void> {
    await this.database.transaction((query) => this.identifyIn(withoutOrganization(query), identity, traits));
  }

  async identifyWithOrganization(actor: Actor): Promise<void> {
    const { organizationId, isVisit } = actor;
    // Staff looking in do not belong to it.
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

/** A failure that a client has met is another one than a run's. */
const ALWAYS_NEWS: EventName = 'Error Received';

/** Whether the product has told of the same doing itself: organizations differ only where both name one. */
async function hasBeenTold(query: TenantQuery, { name, userId }: RaisedEvent): Promise<boolean> {
  if (name === ALWAYS_NEWS) return false;
  const told = await query(
    `select from outbox_messages
      where user_id = $2 and name = $3 and created_at > now() - make_interval(mins => $4)
        and (organization_id is null or organization_id = coalesce($1::uuid, organization_id)) limit 1`,
    [userId, name, TOLD_MINUTES],
  );
  return told.length > 0;
}
