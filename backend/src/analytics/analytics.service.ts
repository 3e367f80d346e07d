import { Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/access.decorator.js';
import { Database } from '../platform/database.js';
import { notFound } from '../platform/problem.js';
import { Outbox, withoutOrganization } from '../platform/outbox.js';
import { type TenantQuery, TenantDoor } from '../platform/tenant.js';
import type { EventProperties } from './analytics.dto.js';
import type { EventName } from './events.js';

export interface RaisedEvent {
  name: EventName;
  userId: string;
  properties?: Record<string, string | null>;
  /** An event with this key is raised once, for ever. */
  onceKey?: string;
}

type Traits = Record<string, string | number | boolean | null>;

/** Events and traits are queued with the change they tell of; an outage of the provider fails no call. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDoor,
    private readonly outbox: Outbox,
  ) {}

  /** Part of the caller's transaction. */
  async raise(query: TenantQuery, { name, userId, properties = {}, onceKey }: RaisedEvent): Promise<void> {
    const content = { type: 'track', userId, event: name, properties, at: new Date().toISOString() };
    await this.outbox.add(query, { kind: 'analytics', name, content, onceKey });
  }

  /** An event of the browser. Who and where is stamped here, whatever it says. */
  async track(identity: Identity, name: EventName, properties: EventProperties = {}): Promise<void> {
    const organizationId = properties.company_id;
    if (organizationId !== undefined) await this.assertMember(identity, organizationId);
    const stamped = { ...properties, user_id: identity.uid, company_id: organizationId ?? null };
    const event = { name, userId: identity.uid, properties: stamped };
    if (organizationId) await this.tenants.transaction(organizationId, (query) => this.raise(query, event));
    else await this.database.transaction((query) => this.raise(withoutOrganization(query), event));
  }

  async identify(identity: Identity, traits: Traits = {}): Promise<void> {
    const content = { type: 'identify', userId: identity.uid, traits: { ...traits, email: identity.email } };
    await this.database.transaction((query) =>
      this.outbox.add(withoutOrganization(query), { kind: 'analytics', name: 'identify', content }),
    );
  }

  async identifyWithOrganization(actor: Actor): Promise<void> {
    const { uid, email, organizationId, isVisit } = actor;
    // Staff looking in do not belong to it.
    if (isVisit) throw notFound('The organization');
    const content = { type: 'identify', userId: uid, traits: { email, company_id: organizationId } };
    await this.tenants.transaction(organizationId, (query) =>
      this.outbox.add(query, { kind: 'analytics', name: 'identify', content }),
    );
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
