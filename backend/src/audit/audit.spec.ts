import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, aUser, expectStatus, type Organization } from '../../test/factories.js';
import { aMember } from '../../test/teams.js';
import type { AuditEvent } from './audit.dto.js';
import { redact } from './redact.js';

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

const trail = async (query = ''): Promise<AuditEvent[]> =>
  expectStatus(await organization.call.get<{ items: AuditEvent[] }>(`${organization.path}/audit-events${query}`), 200).body.items;
const csv = async (query = ''): Promise<string> =>
  String((await organization.call.get(`${organization.path}/audit-events.csv${query}`)).body['text']);

describe('rejected requests', () => {
  it('are recorded with caller and permission, for users without access and for insufficient roles', async () => {
    const outsider = await aUser(app);
    const viewer = await aMember(app, organization, 'viewer');
    expectStatus(await app.http.as(outsider).get(`${organization.path}/connections`), 404);
    expectStatus(await viewer.call.post(`${organization.path}/apps`, { provider: 'google_ads' }), 403);
    const [second, first] = await trail('?action=access.refused');
    expect(first).toMatchObject({
      actorKind: 'user',
      actorEmail: outsider.email,
      role: null,
      target: { type: 'permission', id: 'connections.read' },
      after: { code: 'not_found' },
      requestId: expect.any(String),
      ip: expect.stringContaining('127.0.0.1'),
    });
    expect(second).toMatchObject({ actorEmail: viewer.user.email, role: 'viewer', after: { code: 'access.role_too_low' } });
  });

  it('are recorded when the guard accepts and a module rejects them', async () => {
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await admin.call.delete(`${organization.path}/members/${organization.owner.uid}`), 403);
    const [rejected] = await trail('?action=access.refused');
    expect(rejected).toMatchObject({
      actorEmail: admin.user.email,
      target: { type: 'operation', id: 'deleteMember' },
      after: { code: 'access.role_too_low' },
    });
  });

  it('of one caller are stored as one entry per hour with a count, also when they are concurrent', async () => {
    const [outsider, another] = [await aUser(app), await aUser(app)];
    const request = (user: typeof outsider, path = 'connections') => app.http.as(user).get(`${organization.path}/${path}`);
    await Promise.all([...Array.from({ length: 37 }, () => request(outsider)), request(another), request(outsider, 'members')]);
    const counts = (await trail('?action=access.refused')).map(({ actorEmail, target, count }) => [actorEmail, target.id, count]);
    expect(counts).toHaveLength(3);
    expect(counts).toEqual(
      expect.arrayContaining([
        [outsider.email, 'connections.read', 37],
        [another.email, 'connections.read', 1],
        [outsider.email, 'members.read', 1],
      ]),
    );
    const [entry] = await trail(`?action=access.refused&actor=${another.email}`);
    expect(entry).toMatchObject({ count: 1, lastAt: null });
    const [repeated] = (await trail('?action=access.refused')).filter(({ count }) => count > 1);
    expect(Date.parse(repeated?.lastAt ?? '')).toBeGreaterThanOrEqual(Date.parse(repeated?.at ?? ''));
  });

  it('of documents by their id are stored as one entry per hour with a count too', async () => {
    const outsider = await aUser(app);
    const read = () => app.http.as(outsider).get(`/api/getOrganizationData?documentId=${organization.id}&type=organization`);
    await Promise.all(Array.from({ length: 37 }, read));
    const entries = await trail('?action=access.refused');
    expect(entries.map(({ actorEmail, target, after, count }) => [actorEmail, target.id, after, count])).toEqual([
      [outsider.email, 'organization.read', { code: 'not_found' }, 37],
    ]);
  });

  it('are counted separately in the next hour, also when a module rejects them', async () => {
    const admin = await aMember(app, organization, 'admin');
    const rejected = () => admin.call.delete(`${organization.path}/members/${organization.owner.uid}`);
    await Promise.all([rejected(), rejected()]);
    await app.database.query(
      `update audit_events set at = at - interval '1 hour', repeat_key = repeat_key || '-earlier'
                               where organization_id = $1 and repeat_key is not null`,
      [organization.id],
    );
    await rejected();
    expect((await trail('?action=access.refused')).map(({ count }) => count)).toEqual([1, 2]);
    expect(await csv('?action=access.refused')).toMatch(/,2\r\n/);
  });

  it('are not recorded for an organization that does not exist', async () => {
    const [before] = await app.database.query('select count(*)::int as n from audit_events');
    expectStatus(await organization.call.get('/api/v1/organizations/00000000-0000-7000-8000-000000000000'), 404);
    expect(await app.database.query('select count(*)::int as n from audit_events')).toEqual([before]);
  });
});

describe('the audit trail', () => {
  it('is readable for admins and owners of the organization only', async () => {
    const editor = await aMember(app, organization, 'editor');
    const other = await anOrganization(app);
    for (const path of [`${organization.path}/audit-events`, `${organization.path}/audit-events.csv`]) {
      expectStatus(await editor.call.get(path), 403);
      expectStatus(await other.call.get(path), 404);
    }
  });

  it('is filtered by actor, action and time, and rejects invalid filters', async () => {
    const member = await aMember(app, organization, 'editor');
    const names = async (query: string) => (await trail(query)).map(({ action }) => action);
    expect(await names(`?actor=${member.user.email}`)).toEqual(['member.joined', 'invitation.accepted']);
    expect(await names('?action=member.joined')).toEqual(['member.joined']);
    expect(await names('?action=invitation.')).toEqual(['invitation.accepted', 'invitation.sent']);
    expect(await names('?action=invitation.&actor=%25')).toEqual([]);
    expect(await names(`?from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    expect(await names(`?to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
    expectStatus(await organization.call.get(`${organization.path}/audit-events?from=yesterday`), 400);
    expectStatus(await organization.call.get(`${organization.path}/audit-events?action=%27%20or%201=1`), 400);
  });

  it('is paginated, newest first', async () => {
    await aMember(app, organization, 'editor');
    const all = await trail();
    expect(all.map(({ action }) => action)).toEqual([
      'member.joined',
      'invitation.accepted',
      'invitation.sent',
      'organization.created',
    ]);
    const { body } = await organization.call.get<{ items: AuditEvent[]; nextCursor: string }>(
      `${organization.path}/audit-events?limit=3`,
    );
    expect([...body.items, ...(await trail(`?limit=3&cursor=${body.nextCursor}`))]).toEqual(all);
  });

  it('can be exported as CSV with more rows than a page and without formulas', async () => {
    await app.database.query(
      `insert into audit_events (id, organization_id, actor_kind, action, target_type, target_name)
       select gen_random_uuid(), $1, 'system', 'app.updated', 'app', '=cmd|"/c calc"!A1' from generate_series(1, 2500)`,
      [organization.id],
    );
    const lines = (await csv()).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^at,actor_kind,/);
    expect(lines).toHaveLength(1 + 2_500 + 1);
    expect(lines.filter((line) => line.includes(`"'=cmd|""/c calc""!A1"`))).toHaveLength(2_500);
    expect((await csv('?action=organization.')).trimEnd().split('\r\n')).toHaveLength(2);
  });
});

describe('an audit entry', () => {
  it('contains no secrets at any depth', () => {
    const written = redact({
      settings: { host: 'db.example.com', password: 'hunter2' },
      credentials: { any: 'value' },
      keys: [{ keyHash: 'abc', token_hash: 'abc', hash: 'abc' }],
      mapping: { hashedFields: ['email'], hashesExternalId: true },
      logo: `data:image/png;base64,${'A'.repeat(1_000)}`,
    });
    expect(written).toEqual({
      settings: { host: 'db.example.com', password: '***' },
      credentials: '***',
      keys: [{ keyHash: '***', token_hash: '***', hash: '***' }],
      mapping: { hashedFields: ['email'], hashesExternalId: true },
      logo: 'data:image/png;base64,AAAAAAAAAAAAAAAAAA… (1022 characters)',
    });
  });
});
