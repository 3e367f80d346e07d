import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, aUser, expectStatus, type Organization } from '../../../test/factories.js';
import { aSuperAdmin, anInvitation } from '../../../test/teams.js';

/** A PNG of one pixel. `LARGE` is the same picture with additional bytes. */
const BYTES = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const dataUrl = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
const PICTURE = dataUrl(BYTES);
const LARGE = dataUrl(Buffer.concat([BYTES, Buffer.alloc(199_000)]));

let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
});

interface Shown {
  logo: string | null;
  version: number;
}
const read = async () => (await organization.call.get<Shown>(organization.path)).body;
const change = async (logo: string | null) => {
  const { version } = await read();
  return organization.call.patch<Shown>(organization.path, { logo, version });
};
const upload = async (picture = PICTURE): Promise<string> => expectStatus(await change(picture), 200).body.logo!;
const load = (url: string): Promise<Response> => fetch(app.url + url);

describe('a logo', () => {
  it('is rejected as a URL of another host or of another organization’s logo', async () => {
    const other = await anOrganization(app);
    const { body } = await other.call.patch<Shown>(other.path, { logo: PICTURE, version: 1 });
    for (const url of ['https://tracker.example.com/pixel.png', body.logo!, '/api/v1/me', '//example.com/logo.png']) {
      const rejection = expectStatus(await change(url), 400).body as unknown as { errors: object[] };
      expect(rejection.errors).toEqual([expect.objectContaining({ field: 'logo' })]);
    }
    expect((await read()).logo).toBeNull();
  });

  it('is served at an unguessable URL with headers that block scripts', async () => {
    const url = await upload();
    expect(url).toMatch(/^\/api\/v1\/logos\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/);
    const answer = await load(url);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES)).toBe(true);
  });

  it('that was replaced or removed returns 404', async () => {
    const first = await upload();
    const second = await upload(LARGE);
    expect(second).not.toBe(first);
    expect([(await load(first)).status, (await load(second)).status]).toEqual([404, 200]);
    expectStatus(await change(null), 200);
    expect((await load(second)).status).toBe(404);
    expect((await load('/api/v1/logos/of-nobody')).status).toBe(400);
  });

  it('is unchanged when the current URL is sent', async () => {
    const url = await upload();
    expect(expectStatus(await change(url), 200).body.logo).toBe(url);
    expect((await load(url)).status).toBe(200);
  });

  it('is returned as a short URL in every list of organizations', async () => {
    const owner = organization.owner;
    const body = { companyName: 'Northwind', company_logo: LARGE };
    const { organizationId: id } = expectStatus(
      await organization.call.post<{ organizationId: string }>('/api/createOrganization', body),
      200,
    ).body;
    const path = `/api/v1/organizations/${id}`;
    const { logo } = (await organization.call.get<Shown>(path)).body;
    expect((await load(logo!)).status).toBe(200);
    const guest = app.http.as(await aUser(app, { email: `guest-of-${id}@example.com` }));
    const invitationId = await anInvitation({ ...organization, id, path }, `guest-of-${id}@example.com`);
    const staff = app.http.as(await aSuperAdmin(app));
    const answers = await Promise.all([
      organization.call.get(`/api/getOrganizationIds?userId=${owner.uid}`),
      staff.get('/api/getOrganizationIds?superadmin=true'),
      organization.call.get(`/api/getOrganizationData?documentId=${id}&type=organization`),
      guest.post('/api/getPendingInvitation', { email: `guest-of-${id}@example.com` }),
      guest.get(`/api/v1/invitations/${invitationId}`),
    ]);
    expectStatus(await organization.call.delete(`${path}?confirmName=Northwind`), 204);
    for (const answer of [...answers, await organization.call.get('/api/v1/me/deleted-organizations')]) {
      const text = JSON.stringify(expectStatus(answer, 200).body);
      expect(text).toContain(logo);
      expect(text.length).toBeLessThan(20_000);
    }
  });
});
