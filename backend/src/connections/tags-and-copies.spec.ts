import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, destinationBody, expectStatus, type Organization } from '../../test/factories.js'; // prettier-ignore
import { aMember } from '../../test/teams.js';
import type { ConnectionEntry, ConnectionPage } from './connections.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let original: Connection;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
  original = await aConnection(organization, warehouse, { streams: ['campaign_daily'] });
});
afterEach(() => warehouse.stop());

const read = async (path = original.path) => (await organization.call.get<ConnectionEntry>(path)).body;
const change = async (body: object) =>
  organization.call.patch<ConnectionEntry>(original.path, { ...body, version: (await read()).version });
const list = async (query: string) =>
  expectStatus(await organization.call.get<ConnectionPage>(`${organization.path}/connections?${query}`), 200).body;
const copy = (body: object) => organization.call.post<ConnectionEntry>(`${original.path}/clone`, body);
const aDestination = async (settings: object): Promise<string> => {
  const body = destinationBody({ ...warehouse, settings: { ...warehouse.settings, ...settings } });
  return expectStatus(await organization.call.post<{ id: string }>(`${organization.path}/destinations`, body), 201).body.id;
};

describe('tags of a connection', () => {
  it.each<[string, unknown, string]>([
    ['too many', Array.from({ length: 21 }, (_, n) => `tag ${n}`), 'tags'],
    ['too long', ['x'.repeat(41)], 'tags'],
    ['blank', ['  '], 'tags'],
    ['repeated, also with spaces', ['brand', ' brand '], 'tags'],
  ])('are rejected if they are %s', async (_what, tags, field) => {
    expect(expectStatus(await change({ tags }), 400).body).toMatchObject({ errors: [{ field }] });
  });

  it('filter the list, and the list names all tags', async () => {
    expectStatus(await copy({ name: 'Untagged' }), 201);
    expect(expectStatus(await change({ tags: [' weekly report ', 'brand'] }), 200).body.tags).toEqual(['weekly report', 'brand']);
    const found = await list('tag=brand');
    expect(found.items.map(({ name }) => name)).toEqual(['Search to warehouse']);
    expect(found).toMatchObject({ tags: ['brand', 'weekly report'], counts: { all: 2 } });
    expect((await list('tag=bran')).items).toEqual([]);
  });
});

describe('a copy of a connection', () => {
  it('needs the role editor, and its original and destination in the organization', async () => {
    const viewer = await aMember(app, organization, 'viewer');
    expectStatus(await viewer.call.post(`${original.path}/clone`, { name: 'Copy' }), 403);
    expectStatus(await copy({ name: ' ' }), 400);
    expectStatus(await copy({ name: 'Copy', destinationId: randomUUID() }), 404);
    const outsider = await anOrganization(app);
    expectStatus(await outsider.call.post(`${outsider.path}/connections/${original.id}/clone`, { name: 'Copy' }), 404);
  });

  it('has the same settings, another name and other tables, and is paused without a run', async () => {
    const schedule = { kind: 'interval', everyMinutes: 60, notBefore: '06:00', timeZone: 'Europe/Berlin' };
    const settings = {
      ...{ schedule, lookbackDays: 3, tags: ['brand'], emptyPolicy: 'allow_empty', schemaPolicy: 'approve' },
      hashedFields: [{ stream: 'campaign_daily', columns: ['campaign_name'] }],
    };
    expectStatus(await change(settings), 200);
    const destinationId = await aDestination({ tablePrefix: 'copy_' });
    const { body, headers } = expectStatus(await copy({ name: 'Copy', destinationId }), 201);
    expect(headers.get('location')).toBe(`${organization.path}/connections/${body.id}`);
    const { streams: before, ...kept } = await read();
    expect(body).toMatchObject({
      ...{ name: 'Copy', desired: 'paused', pause: { reason: 'user' }, lastRun: null, activeRun: null },
      ...{ schedule, lookbackDays: 3, tags: ['brand'], emptyPolicy: 'allow_empty', schemaPolicy: 'approve' },
      ...{ source: kept.source, historyFrom: kept.historyFrom, destination: { id: destinationId } },
    });
    expect(
      body.streams.map(({ targetTable, ...stream }) => ({ ...stream, targetTable: targetTable.replace('copy_', '') })),
    ).toEqual(before);
    expect(body.streams[0]?.targetTable).toContain('copy_');
  });

  it('with the same destination writes the same tables, so its fields must be equal', async () => {
    const { body } = expectStatus(await copy({ name: 'Copy' }), 201);
    expect(body.streams).toEqual((await read()).streams);
    const hashedFields = [{ stream: 'campaign_daily', columns: ['campaign_name'] }];
    expect(expectStatus(await change({ hashedFields }), 409).body).toMatchObject({ code: 'connection.fields_differ' });
  });
});
