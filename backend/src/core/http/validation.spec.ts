import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, expectStatus, type Organization } from '../../../test/factories.js';

let app: TestApp;
let organization: Organization;
beforeAll(async () => {
  app = await startTestApp();
  organization = await anOrganization(app);
});
afterAll(() => app?.stop());

it.each([
  ['that is missing', { name: 'Search' }, 'version is missing'],
  ['of another type', { version: 'x' }, 'version must be an integer number'],
  ['that is too large', { version: 2 ** 40 }, 'version must not be greater than 2147483647'],
  ['that should be a list', { version: 1, tags: 5 }, 'tags must be an array'],
  ['that the request does not have', { version: 1, nmae: 'Search' }, 'nmae is not a field of this request'],
])('a field %s is reported with one message', async (_, body, message) => {
  const answer = await organization.call.patch(`${organization.path}/connections/${randomUUID()}`, body);
  expect(expectStatus(answer, 400).body).toMatchObject({ detail: message, errors: [{ message }] });
});

it('a query parameter of another type is reported with one message', async () => {
  const { body } = expectStatus(await organization.call.get(`${organization.path}/connections?limit=abc`), 400);
  expect(body).toMatchObject({ detail: 'limit must be an integer number', errors: [{ field: 'limit' }] });
});
