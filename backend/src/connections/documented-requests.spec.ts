import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { aConnectedApp, anOrganization, expectStatus, type Organization } from '../../test/factories.js';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8');
const section = /## Creating a connection\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? '';
const bodies = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text) as object);

let app: TestApp;
let sandbox: Sandbox;
let warehouse: Warehouse;
beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(() => Promise.all([app?.stop(), sandbox?.stop(), warehouse?.stop()]));

interface Detail {
  name: string;
  streams: { name: string; isSelected: boolean }[];
}

async function aKey({ call, path: root }: Organization): Promise<string> {
  return expectStatus(await call.post<{ key: string }>(`${root}/api-keys`, { name: 'Import', role: 'admin' }), 201).body.key;
}

it('the documented requests create a source, a destination and a connection with an API key', async () => {
  const organization = await anOrganization(app);
  const key = await aKey(organization);
  const appId = await aConnectedApp(organization);
  const send = async (resource: string, body: object | undefined, ids: object): Promise<{ id: string }> => {
    const answer = await fetch(`${app.url}${organization.path}/${resource}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...ids }),
    });
    expect([answer.status, resource]).toEqual([201, resource]);
    return (await answer.json()) as { id: string };
  };
  const [source, destination, connection] = bodies;
  // The documented server does not exist.
  const { password, ...settings } = warehouse.settings;
  const { id: sourceId } = await send('sources', source, { appId });
  const { id: destinationId } = await send('destinations', destination, { settings, credentials: { password } });
  const { id } = await send('connections', connection, { sourceId, destinationId });
  const created = await organization.call.get<Detail>(`${organization.path}/connections/${id}`);
  const { name, streams } = expectStatus(created, 200).body;
  expect([name, streams.filter(({ isSelected }) => isSelected).map((stream) => stream.name)]).toEqual([
    'Search to warehouse',
    ['campaign_daily'],
  ]);
  expect(Object.keys((destination as { settings: object }).settings).sort()).toEqual(Object.keys(settings).sort());
});
