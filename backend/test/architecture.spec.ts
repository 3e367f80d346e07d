import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { sortEnums } from '../src/openapi/enums.js';
import { type Handler, listHandlers } from '../src/openapi/handlers.js';
import { listOperations } from '../src/openapi/schema.js';
import { TAGS } from '../src/openapi/texts.js';
import { PROBLEMS } from '../src/core/http/problem.js';
import { type TenantClient, TenantDatabase } from '../src/core/database/tenant-database.js';
import { startTestApp, type TestApp } from './app.js';

const SOURCES = path.resolve(import.meta.dirname, '../src');
const SCHEMA = path.resolve(import.meta.dirname, '../../prisma/schema');

/** Modules access tenant tables through TenantDatabase. These files access all organizations, or data without an organization. */
const WITHOUT_TENANT_DATABASE: Record<string, string> = {
  'alerts/webhooks/deliver-webhooks.ts': 'a scheduled job for all organizations',
  'alerts/summary/weekly-summary.ts': 'a scheduled job for all organizations',
  'connections/schedule/source-readings.ts': 'a scheduled job for all organizations',
  'connections/schedule/schedule-due.ts': 'a scheduled job for all organizations',
  'connections/facts/connection-facts.service.ts': 'a scheduled job for all organizations',
  'freshness/watch/check-deadlines.ts': 'a scheduled job for all organizations',
  'freshness/badges/badge-status.ts': 'finds a badge by its token, before the organization is known',
  'backfills/continue-backfills.ts': 'a scheduled job for all organizations',
  'sync/jobs/exchange-rates.ts': 'exchange rates belong to no organization',
  'sync/jobs/count-worker-deaths.ts': 'a crashed worker leaves runs of several organizations',
  'conversions/run/recover-conversions.ts': 'an abandoned conversion may be of any organization',
  'sync/jobs/recover-runs.ts': 'a crashed worker leaves runs of several organizations',
  'sync/api/destination-audits.service.ts': 'the nightly job audits connections of all organizations',
  'sync/reconciliation/reconciliations.service.ts': 'the nightly job reconciles connections of all organizations',
  'sync/jobs/delete-old-run-logs.ts': 'a scheduled job for all organizations',
  'sync/jobs/delete-old-changes.ts': 'a scheduled job for all organizations',
  'apps/probe-app.ts': 'a scheduled job for all organizations',
  'apps/delete-old-app-data.ts': 'a scheduled job for all organizations',
  'audit/app-history.service.ts': 'a scheduled job deletes old events of all organizations',
  'custom-apps/push-events/delete-old-pushes.ts': 'a scheduled job deletes old events of all organizations',
  'apps/disconnect-app.ts': 'a platform revokes the grants of a user for all organizations',
  'custom-apps/push-events/push-endpoint.queries.ts':
    'finds an endpoint by the id in its address, before the organization is known',
  'custom-apps/integration-requests/submissions.queries.ts': 'platform staff see the requests of all organizations',
  'apps/share-links/share-links.queries.ts': 'finds a link by its token, before the organization is known',
  'billing/reconcile-subscriptions.ts': 'a scheduled job for all organizations',
  'payments/webhooks/receive-webhook.ts': 'finds a payment by its app, before the organization is known',
  'payments/webhooks/check-webhooks.ts': 'selects due payments and deletes old events of all organizations',
  'payments/recurring/compute-recurring-revenue.ts': 'queues a job for each payment of all organizations',
  'billing/receive-event.ts': 'finds a Stripe customer, before the organization is known',
  'organizations/organizations.queries.ts': 'lists all organizations of a user',
  'organizations/organization-limit.ts': 'counts the organizations that a user created',
  'invitations/invitation-limits.ts': 'counts the invitations of a user over all organizations',
  'organizations/organizations.service.ts': 'creates an organization, which is not a tenant before',
  'organizations/logos/logos.service.ts': 'finds a logo by its URL, before the organization is known',
  'organizations/deletion/purge-deleted-organizations.ts': 'a scheduled job for all organizations',
  'organizations/deletion/purge-deleted-resources.ts': 'a scheduled job for all organizations',
  'organizations/api-keys/warn-expiring-keys.ts': 'a scheduled job for all organizations',
  'users/revoke-access.service.ts': 'revokes the access of a disabled user to all organizations',
  'invitations/invitations.queries.ts': 'finds an invitation, before the organization is known',
  'analytics/analytics.service.ts': 'traits of users belong to no organization',
  'users/apply-account-state.ts': 'users belong to no organization',
  'users/lock-person.ts': 'users belong to no organization',
  'users/staff-users.service.ts': 'users belong to no organization',
  'users/user-access.service.ts': 'users belong to no organization',
  'users/store-activity.ts': 'users belong to no organization',
  'users/users.queries.ts': 'users belong to no organization',
  'users/users.service.ts': 'users belong to no organization',
  'audit/audit.service.ts': 'records of platform staff over all organizations have no organization',
  'sync/jobs/run-metrics.ts': 'metrics of all organizations',
  'apps/quota-metrics.ts': 'metrics of all organizations',
  'alerts/webhooks/webhook-metrics.ts': 'metrics of all organizations',
  'demo/demo.service.ts': 'finds the connection of the demo user, before the organization is known',
  'read-models/demo-connection.ts': 'finds the connection of the demo user, before the organization is known',
  'members/members.service.ts': 'locks the organization itself',
  'members/member-changes.ts': 'locks the organization itself',
};

/** Tables whose organization may be null, so that TenantDatabase cannot filter them. */
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
  it('has an access rule', () => {
    expect(handlers.length).toBeGreaterThan(40);
    expect(handlers.filter(({ rule }) => !rule)).toEqual([]);
  });

  it('has a unique name, which is the operation’s id', () => {
    const names = handlers.map(({ operationId }) => operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('is in the OpenAPI document, which has no other operation', () => {
    const documented = listOperations(document).map(({ operation }) => operation.operationId);
    expect(documented.toSorted()).toEqual(handlers.map(({ operationId }) => operationId).toSorted());
  });

  it('has a description, and so has its group', () => {
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

describe('the values of every enum', () => {
  const listEnums = (node: unknown): string[][] =>
    typeof node !== 'object' || node === null
      ? []
      : Object.entries(node).flatMap(([key, child]) =>
          key === 'enum' && Array.isArray(child) ? [child.filter((value) => typeof value === 'string')] : listEnums(child),
        );

  it('are in alphabetical order, so that the order of imports does not change the document', () => {
    const enums = listEnums({ ...document.components?.schemas, ...document.paths });
    expect(enums.length).toBeGreaterThan(100);
    expect(enums.filter((values) => values.join() !== values.toSorted().join())).toEqual([]);
  });

  it('are the same in any order of the metadata that TypeScript generates', () => {
    const schemaOf = (states: unknown[]) => ({
      Run: { properties: { state: { enum: states }, all: { items: { enum: states } } } },
    });
    const [first, second] = [schemaOf(['queued', null, 'failed', 'done']), schemaOf(['done', 'queued', 'failed', null])];
    sortEnums(first);
    sortEnums(second);
    expect(first).toEqual(schemaOf(['done', 'failed', 'queued', null]));
    expect(second).toEqual(first);
  });
});

describe('the database', () => {
  it('has a description of every table and column', async () => {
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

  it('restricts every table with an organization to TenantDatabase', async () => {
    const models = globSync('*.prisma', { cwd: SCHEMA }).flatMap((file) => [
      ...readFileSync(path.join(SCHEMA, file), 'utf8').matchAll(/^model (\w+) \{([^}]*)\}/gm),
    ]);
    const tenants = models.filter(([, , body = '']) => /^\s+organizationId\s/m.test(body)).map(([, name = '']) => name);
    expect(tenants).toEqual(expect.arrayContaining(['Connection', ...OPTIONAL_TENANT]));
    const tenant = app.get(TenantDatabase).of('00000000-0000-7000-8000-000000000000');
    for (const model of tenants.filter((name) => !OPTIONAL_TENANT.includes(name))) {
      const delegate = (model.charAt(0).toLowerCase() + model.slice(1)) as keyof TenantClient;
      const table = tenant[delegate] as unknown as { count(): Promise<number> };
      await expect(table.count()).resolves.toBe(0);
    }
  });

  it('is accessed by modules only through TenantDatabase, with listed exceptions', () => {
    const passers = filesOf('*/**/*.ts').filter(
      (file) => !/^(core|access)\//.test(file) && /from '(\.\.\/)+core\/database\/database\.js'/.test(textOf(file)),
    );
    expect(passers.filter((file) => !WITHOUT_TENANT_DATABASE[file])).toEqual([]);
  });
});

describe('every error code', () => {
  it('is used by the code and documented by an operation', () => {
    const rules = filesOf('**/*.ts')
      .filter((file) => !file.startsWith('openapi/'))
      .map((file) =>
        textOf(file)
          .replace(/export const PROBLEMS = {[\s\S]*?\n}/, '')
          .replaceAll(/@Answers\([^)]*\)/g, ''),
      )
      .join('\n');
    const documented = Object.keys(document.components?.examples ?? {}).map((key) => key.replace(/^call\./, ''));
    const codes = Object.keys(PROBLEMS);
    expect(codes.filter((code) => !new RegExp(`\\b${code.replace('.', '\\.')}\\b`).test(rules))).toEqual([]);
    expect(codes.filter((code) => !documented.includes(code))).toEqual([]);
  });
});
