import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../test/factories.js';
import { aMember, aSuperAdmin, outboxOf } from '../../test/teams.js';
import type { AppEntry } from '../apps/apps.dto.js';
import type { CatalogConnector } from '../catalog/catalog.dto.js';
import type { DeskSubmission, SubmissionEntry } from './integration-requests/submissions.dto.js';

let app: TestApp;
let organization: Organization;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  const { body } = expectStatus(
    await organization.call.post<AppEntry>(`${organization.path}/apps`, { provider: 'custom', displayName: 'Till' }),
    201,
  );
  path = `${organization.path}/apps/${body.id}`;
});

const WHOLE = {
  title: 'Till of the shops',
  documentation: 'https://docs.example.com/api',
  wantedData: 'Sales by day and shop, to compare with the costs.',
  accessKind: 'api_key',
  contactEmail: 'developer@example.com',
};
const read = async () => (await organization.call.get<SubmissionEntry>(`${path}/submission`)).body;
const save = (body: object) => organization.call.patch<SubmissionEntry>(`${path}/submission`, body);
const submit = (version: number) => organization.call.post<SubmissionEntry>(`${path}/submission/submit`, { version });

describe('a custom app', () => {
  it('is in the catalog and starts as a draft with an empty form and an endpoint without a key', async () => {
    const { body } = await organization.call.get<{ connectors: CatalogConnector[] }>('/api/v1/catalog');
    expect(body.connectors.find(({ provider }) => provider === 'custom')).toMatchObject({
      name: 'Custom app',
      category: 'custom',
    });
    expect((await organization.call.get(path)).body).toMatchObject({ provider: 'custom', authMode: 'push_key', state: 'draft' });
    expect(await read()).toMatchObject({
      state: 'draft',
      title: null,
      accessKind: null,
      steps: [{ state: 'draft' }],
      version: 1,
    });
    expect((await organization.call.get(`${path}/push`)).body).toMatchObject({ keyHint: null, eventsKept: 0 });
  });

  it('cannot be signed in to or used by a share link, nor by a source without a key', async () => {
    const appId = path.split('/').at(-1);
    expect((await organization.call.post(`${path}/oauth/start`)).status).toBe(404);
    const source = { appId, name: 'Till', accountIds: ['1'] };
    const answer = await organization.call.post<{ code: string }>(`${organization.path}/sources`, source);
    expect([answer.status, answer.body.code]).toEqual([422, 'app.not_connected']);
    expect((await organization.call.post(`${path}/share-link`)).status).toBe(404);
  });
});

describe('a submission', () => {
  it('cannot be submitted before it is complete, and reports the missing fields', async () => {
    expectStatus(await save({ title: WHOLE.title, version: 1 }), 200);
    const { status, body } = await submit(2);
    expect({ status, code: body['code' as never] }).toEqual({ status: 422, code: 'submission.incomplete' });
    const errors = (body as unknown as { errors: { field: string }[] }).errors.map(({ field }) => field);
    expect(errors).toEqual(['documentation', 'wantedData', 'accessKind', 'contactEmail']);
    expect(await read()).toMatchObject({ state: 'draft' });
  });

  it.each([
    ['documentation', 'javascript:alert(1)'],
    ['contactEmail', 'nobody'],
    ['accessKind', 'telepathy'],
  ])('rejects an invalid %s', async (field, value) => {
    const { status, body } = await save({ [field]: value, version: 1 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field }] });
  });

  it('rejects changes based on an older version, after its submission, and by a viewer', async () => {
    expectStatus(await save({ ...WHOLE, version: 1 }), 200);
    expect((await save({ title: 'Other', version: 1 })).status).toBe(409);
    expectStatus(await submit(2), 200);
    expect((await save({ title: 'Other', version: 3 })).body).toMatchObject({ code: 'submission.wrong_state' });
    expect((await submit(3)).body).toMatchObject({ code: 'submission.wrong_state' });
    const viewer = await aMember(app, organization, 'viewer');
    expect((await viewer.call.get(`${path}/submission`)).body).toMatchObject({ ...WHOLE, state: 'submitted' });
    expect((await viewer.call.patch(`${path}/submission`, { title: 'Other', version: 3 })).status).toBe(403);
  });

  it('is moved only by platform staff, one state at a time; its submitter gets a mail, and all steps are stored', async () => {
    expectStatus(await save({ ...WHOLE, version: 1 }), 200);
    const staff = app.http.as(await aSuperAdmin(app));
    const mine = async () =>
      (await staff.get<{ items: DeskSubmission[] }>('/api/v1/submissions?limit=100')).body.items.filter(
        ({ organizationId }) => organizationId === organization.id,
      );
    expect(await mine()).toEqual([]);
    const { id } = expectStatus(await submit(2), 200).body;
    const move = (body: object, caller = staff) => caller.post<DeskSubmission>(`/api/v1/submissions/${id}/move`, body);
    expect((await move({ state: 'in_review' }, organization.call)).status).toBe(404);
    expect((await organization.call.get('/api/v1/submissions')).status).toBe(404);
    expect((await move({ state: 'available' })).body).toMatchObject({ code: 'submission.wrong_state' });

    expect(await mine()).toMatchObject([{ id, organizationName: 'Northwind', ...WHOLE, state: 'submitted' }]);
    expectStatus(await move({ state: 'in_review' }), 200);
    expectStatus(await move({ state: 'declined', note: 'Its API shows no costs.' }), 200);
    const { steps, state } = await read();
    const { email } = organization.owner;
    expect({ state, steps: steps.map(({ at: _, ...step }) => step) }).toEqual({
      state: 'declined',
      steps: [
        { state: 'draft', actor: email, note: null },
        { state: 'submitted', actor: email, note: null },
        { state: 'in_review', actor: null, note: null },
        { state: 'declined', actor: null, note: 'Its API shows no costs.' },
      ],
    });
    expect(await outboxOf(app, organization.id, 'submission-moved')).toHaveLength(2);
    const trail = await app.database.query<{ action: string }>(
      `select action from audit_events where organization_id = $1 and actor_kind = 'super_admin' order by id`,
      [organization.id],
    );
    expect(trail.map(({ action }) => action)).toEqual(['submission.in_review', 'submission.declined']);
  });
});
