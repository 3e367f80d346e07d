import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { type Handler, listHandlers } from '../src/openapi/handlers.js';
import { listOperations } from '../src/openapi/schema.js';
import { TAGS } from '../src/openapi/texts.js';
import { PROBLEMS } from '../src/core/http/problem.js';
import { type TenantClient, TenantDatabase } from '../src/core/database/tenant-database.js';
import { startTestApp, type TestApp } from './app.js';

const SOURCES = path.resolve(import.meta.dirname, '../src');
const SCHEMA = path.resolve(import.meta.dirname, '../../prisma/schema');

/** Rooms reach tenant tables through the tenant door. These look over all organizations, or at what belongs to none. */
const WITHOUT_TENANT_DATABASE: Record<string, string> = {
  'connections/schedule/source-readings.ts': 'the clock strikes for all organizations at once',
  'connections/schedule/schedule-due.ts': 'the clock strikes for all organizations at once',
  'sync/jobs/exchange-rates.ts': 'what currencies are worth belongs to no organization',
  'sync/jobs/count-worker-deaths.ts': 'a dead worker leaves runs of any organization behind',
  'sync/jobs/recover-runs.ts': 'a dead worker leaves runs of any organization behind',
  'sync/api/destination-audits.service.ts': 'every night the connections of all organizations are audited',
  'sync/jobs/forget-run-logs.ts': 'the clock strikes for all organizations at once',
  'apps/probe-app.ts': 'the clock strikes for all organizations at once',
  'apps/forget-old.ts': 'the clock strikes for all organizations at once',
  'apps/disconnect-app.ts': 'a platform withdraws what a user granted us for any organization',
  'custom-apps/push-events/push-endpoint.queries.ts': 'an address is known by the id in it, not yet by its organization',
  'custom-apps/integration-requests/submissions.queries.ts': 'whoever runs the instance sees what all organizations ask for',
  'apps/share-links/share-links.queries.ts': 'a link is known by its token, not yet by its organization',
  'billing/reconcile-subscriptions.ts': 'the clock strikes for all organizations at once',
  'billing/receive-event.ts': 'Stripe names its customer, not yet the organization',
  'organizations/organizations.queries.ts': "lists a person's organizations, whichever they are",
  'organizations/organization-limit.ts': 'counts what one person created, over all organizations',
  'invitations/invitation-limits.ts': 'counts what one person sent, over all organizations',
  'organizations/organizations.service.ts': 'makes an organization, which is no tenant before',
  'organizations/logos/logos.service.ts': 'a logo is known by its URL, not yet by its organization',
  'organizations/deletion/purge-deleted.ts': 'the clock strikes for all organizations at once',
  'organizations/deletion/purge-things.ts': 'the clock strikes for all organizations at once',
  'organizations/api-keys/warn-expiring-keys.ts': 'the clock strikes for all organizations at once',
  'users/revoke-access.service.ts': 'a disabled person leaves all organizations at once',
  'invitations/invitations.queries.ts': 'an invited person knows the invitation, not yet the organization',
  'analytics/analytics.service.ts': 'what is known of a person belongs to no organization',
  'users/follow-account.ts': 'people belong to no organization',
  'users/lock-person.ts': 'people belong to no organization',
  'users/staff-users.service.ts': 'people belong to no organization',
  'users/user-access.service.ts': 'people belong to no organization',
  'users/users.queries.ts': 'people belong to no organization',
  'users/users.service.ts': 'people belong to no organization',
  'audit/audit.service.ts': 'what platform staff did over all organizations has none',
  'members/members.service.ts': 'locks the organization itself',
  'members/member-changes.ts': 'locks the organization itself',
};

/** Tables whose organization may be missing, so that the door cannot hold them to one. */
const OPTIONAL_TENANT = ['AuditEvent', 'OutboxMessage'];

let app: TestApp;
let document: OpenAPIObject;
let handlers: Handler[];

beforeAll(async () => {
  app = await startTestApp();
  document = await createDocument(app.nest);
  handlers = listHandlers(app.nest);
});
afterAll(() => app.stop());

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: SOURCES }).filter((file) => !file.startsWith('generated/') && !file.endsWith('.spec.ts'));
const textOf = (file: string): string => readFileSync(path.join(SOURCES, file), 'utf8');

describe('every handler', () => {
  it('says who may call it', () => {
    expect(handlers.length).toBeGreaterThan(40);
    expect(handlers.filter(({ rule }) => !rule)).toEqual([]);
  });

  it('has a name of its own, for it is the operation’s id', () => {
    const names = handlers.map(({ operationId }) => operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is in the document, and the document has no other', () => {
    const documented = listOperations(document).map(({ operation }) => operation.operationId);
    expect(documented.toSorted()).toEqual(handlers.map(({ operationId }) => operationId).toSorted());
  });

  it('is described, in a group that is described', () => {
    for (const { method, path: route, operation } of listOperations(document)) {
      const { summary, description, tags = [] } = operation;
      expect({ call: `${method} ${route}`, summary, description }).toEqual({
        call: `${method} ${route}`,
        summary: expect.stringMatching(/\w/),
        description: expect.stringMatching(/\w/),
      });
      expect(tags.map((tag) => TAGS[tag] ?? `${tag} has no description in TAGS`)).toEqual([expect.stringMatching(/\.$/)]);
    }
  });
});

describe('the database', () => {
  it('says of every table and column what it holds', async () => {
    const bare = await app.database.query<{ name: string }>(
      `select c.relname || coalesce('.' || a.attname, '') as name
         from pg_class c
         left join lateral (select null as attname, 0 as attnum
           union all select attname, attnum from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) a on true
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'
          and coalesce(col_description(c.oid, a.attnum), obj_description(c.oid, 'pg_class')) is null
           or (c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'
               and a.attnum > 0 and col_description(c.oid, a.attnum) is null)
        order by 1`,
    );
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('holds every table that names its organization behind the tenant door', async () => {
    const models = globSync('*.prisma', { cwd: SCHEMA }).flatMap((file) => [
      ...readFileSync(path.join(SCHEMA, file), 'utf8').matchAll(/^model (\w+) \{([^}]*)\}/gm),
    ]);
    const tenants = models.filter(([, , body = '']) => /^\s+organizationId\s/m.test(body)).map(([, name = '']) => name);
    expect(tenants).toEqual(expect.arrayContaining(['Connection', ...OPTIONAL_TENANT]));
    const door = app.get(TenantDatabase).of('00000000-0000-7000-8000-000000000000');
    for (const model of tenants.filter((name) => !OPTIONAL_TENANT.includes(name))) {
      const delegate = (model.charAt(0).toLowerCase() + model.slice(1)) as keyof TenantClient;
      const table = door[delegate] as unknown as { count(): Promise<number> };
      await expect(table.count()).resolves.toBe(0);
    }
  });

  it('is reached by rooms through the tenant door, but for a few with a reason', () => {
    const passers = filesOf('*/**/*.ts').filter(
      (file) => !/^(core|access)\//.test(file) && /from '(\.\.\/)+core\/database\/database\.js'/.test(textOf(file)),
    );
    expect(passers.filter((file) => !WITHOUT_TENANT_DATABASE[file])).toEqual([]);
  });
});

describe('every error code', () => {
  it('is answered by some rule, and told by some call', () => {
    const rules = filesOf('**/*.ts')
      .filter((file) => !/^(openapi\/|core\/http\/problem\.ts)/.test(file))
      .map((file) => textOf(file).replaceAll(/@Answers\([^)]*\)/g, ''))
      .join('\n');
    const told = Object.keys(document.components?.examples ?? {}).map((key) => key.replace(/^call\./, ''));
    const codes = Object.keys(PROBLEMS);
    expect(codes.filter((code) => !new RegExp(`\\b${code.replace('.', '\\.')}\\b`).test(rules))).toEqual([]);
    expect(codes.filter((code) => !told.includes(code))).toEqual([]);
  });
});
