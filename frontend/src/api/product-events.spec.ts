import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOrganization } from './accounts';
import { completeAuthorization } from './apps';
import { createConnection, deleteConnection } from './connections/connections';
import { createDestination, deleteDestination, updateDestination } from './destinations';
import { acceptInvitation } from './invitations';
import { followProductEvents } from './product-events';
import { createSource, deleteSource, listSources } from './sources';

const O = '0198f3a2-7c41-7d0e-8000-00000000000a';
const I = '0198f3a2-7c41-7d0e-8000-00000000000b';
const TRACK = '/api/customerio/track';

let tracked: unknown[] = [];
let answers: (path: string) => [status: number, body: object] = () => [200, {}];
let stop = () => {};

beforeEach(() => {
  tracked = [];
  stop = followProductEvents();
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === TRACK) tracked.push(await request.json());
    const [status, body] = answers(pathname);
    const hasBody = status !== 204;
    return new Response(hasBody ? JSON.stringify(body) : null, { status, headers: { 'Content-Type': 'application/json' } });
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

type CallRow = [name: string, answer: object, properties: object, call: () => Promise<unknown>];
const any = <T>(value: object): T => value as T;

test.each<CallRow>([
  ['Organization Created', { organizationId: O }, {}, () => createOrganization({ companyName: 'Northwind' })],
  ['Organization Joined', { organizationId: O }, {}, () => acceptInvitation(I, 'a-user')],
  ['Source Created', { provider: 'google_ads' }, { type: 'google_ads' }, () => createSource(O, any({}))],
  ['Source Deleted', {}, {}, () => deleteSource(O, I)],
  ['Destination Created', { provider: 'mixpanel' }, { type: 'mixpanel' }, () => createDestination(O, any({}))],
  ['Destination Deleted', {}, {}, () => deleteDestination(O, I)],
  [
    'Destination Reauthenticated',
    { provider: 'postgresql' },
    { type: 'postgresql' },
    () => updateDestination(O, I, any({ version: 1, credentials: { password: 'x' } })),
  ],
  [
    'Source Reauthenticated',
    { isReconnect: true, app: { provider: 'meta_ads' } },
    { type: 'meta_ads' },
    () => completeAuthorization(O, any({ state: 's' })),
  ],
  [
    'Destination Reauthenticated',
    { isReconnect: true, app: { provider: 'bigquery' } },
    { type: 'bigquery' },
    () => completeAuthorization(O, any({ state: 's' })),
  ],
  [
    'Connection Created',
    { source: { provider: 'google_ads' }, destination: { provider: 'bigquery' } },
    { source: 'google_ads', destination: 'bigquery' },
    () => createConnection(O, any({})),
  ],
  ['Connection Deleted', {}, {}, () => deleteConnection(O, I)],
])('tracks %s after %j', async (eventName, answer, properties, call) => {
  answers = (path) => [path === TRACK || Object.keys(answer).length > 0 ? 200 : 204, answer];
  await call();
  await vi.waitFor(() => expect(tracked).toHaveLength(1));
  expect(tracked).toEqual([{ eventName, properties: { company_id: O, ...properties } }]);
});

test('tracks nothing after reads, failed calls, first sign-ins and changes without credentials', async () => {
  answers = (path) => (path.endsWith('/sources') ? [422, {}] : [200, { isReconnect: false, app: { provider: 'meta_ads' } }]);
  await createSource(O, any({})).catch(() => undefined);
  await listSources(O).catch(() => undefined);
  await completeAuthorization(O, any({ state: 's' }));
  await updateDestination(O, I, any({ version: 1, name: 'Warehouse' }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(tracked).toEqual([]);
});

test('a call succeeds although its event cannot be sent, and the failure is logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  answers = (path) => (path === TRACK ? [503, {}] : [201, { provider: 'google_ads' }]);
  expect(await createSource(O, any({}))).toMatchObject({ provider: 'google_ads' });
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith('track failed', expect.anything()));
  warn.mockRestore();
});
