import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anInvitation, anOrganization, aPerson, aStaffPerson, expireInvitation, newEmail } from './support/calls.ts';
import { instance } from './support/instance.ts';
import { waitForInvitation } from './support/mail.ts';
import { open, signIn, signUp } from './support/steps.ts';
import { continueUrlOfReset } from './support/verification.ts';

/** Rules of the product specification that concern several pages. */

const MISSING = '0198f3a2-7c41-7d0e-8000-000000000001';

const cookieNames = async (page: Page): Promise<string[]> => (await page.context().cookies()).map(({ name }) => name);

interface Recorded {
  path: string;
  body: {
    eventName?: string;
    userId?: string;
    organizationId?: string;
    properties?: Record<string, string>;
    traits?: Record<string, string>;
  };
}

/** The calls for analytics and support that the page makes. Playwright does not see the bodies of streamed requests. */
async function recordCalls(page: Page): Promise<Recorded[]> {
  const calls: Recorded[] = [];
  await page.exposeFunction('recordCall', (path: string, body: Recorded['body']) => void calls.push({ path, body }));
  await page.addInitScript(() => {
    const { fetch } = globalThis;
    const record: unknown = Reflect.get(globalThis, 'recordCall');
    globalThis.fetch = (input, init) => {
      if (input instanceof Request && /\/api\/(customerio\/|identifyUserWithOrganization|getIntercomHash)/.test(input.url))
        void input.clone().json().then((body: unknown) => typeof record === 'function' && record(new URL(input.url).pathname, body)); // prettier-ignore
      return fetch(input, init);
    };
  });
  return calls;
}

test.describe('sign-up', () => {
  test('registers nobody when the user cannot be saved, and can be repeated', async ({ page }) => {
    const email = newEmail();
    const fill = async () => {
      await page.getByLabel('Full name').fill('Guest');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('three small rivers');
    };
    await page.route('**/api/getOrSaveUser', (route) => route.fulfill({ status: 500, body: '{}' }));
    await open(page, '/signUp');
    await fill();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to create user in the database.');
    await expect(page).toHaveURL(/\/signUp$/);
    await page.reload();
    await expect(page).toHaveURL(/\/signUp$/);
    await page.unroute('**/api/getOrSaveUser');
    await signUp(page, email);
    await expect(page).toHaveURL(/\/onboarding$/);
  });

  test('leads to the sign-in page, whose guard opens onboarding', async ({ page }) => {
    await open(page, '/signUp');
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
    await signUp(page, newEmail());
    await expect(page).toHaveURL(/\/onboarding$/);
    expect(visited.find((path) => path !== '/signUp')).toBe('/login');
  });

  test('sends Account Created, Organization Created and the identity', async ({ page }) => {
    const calls = await recordCalls(page);
    await open(page, '/signUp');
    await signUp(page, newEmail());
    await page.getByLabel('Company name').fill('Northwind');
    await expect(page.getByRole('checkbox', { name: 'Default organization' })).toBeChecked();
    await page.getByRole('button', { name: 'Create organization' }).click();
    await expect(page.getByText('Organization created successfully')).toBeVisible();
    await page.getByRole('button', { name: /Explore first/ }).click();
    await expect(page).toHaveURL(/\/connection$/);
    const organizationId = new URL(page.url()).pathname.split('/')[1];
    await expect.poll(() => calls.map(({ body }) => body.eventName)).toContain('Organization Created');
    const eventsNamed = (name: string) => calls.filter(({ body }) => body.eventName === name);
    expect(eventsNamed('Account Created')).toHaveLength(1);
    expect(eventsNamed('Organization Created')).toMatchObject([{ body: { properties: { company_id: organizationId } } }]);
    await expect
      .poll(() => calls.filter(({ path }) => path === '/api/identifyUserWithOrganization').map(({ body }) => body.organizationId))
      .toEqual([organizationId]);
    expect(calls.filter(({ path }) => path === '/api/customerio/identify')).toHaveLength(1);
  });
});

test('sends an unhandled error of the page as Error Received', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const calls = await recordCalls(page);
  await open(page, `/${organizationId}/source`);
  await signIn(page, person);
  await expect.poll(() => calls.map(({ path }) => path)).toContain('/api/identifyUserWithOrganization');
  await page.evaluate(() => void setTimeout(() => Promise.reject(new Error('boom')), 0));
  await expect
    .poll(() => calls.filter(({ body }) => body.eventName === 'Error Received'))
    .toMatchObject([
      { body: { userId: person.uid, properties: { company_id: organizationId, type: 'browser', error_message: 'Error: boom' } } },
    ]);
});

test.describe('a pending invitation', () => {
  test('is not remembered if it does not exist', async ({ page }) => {
    const organizationId = await anOrganization(await aPerson());
    for (const token of ['', '?token=made-up']) {
      await open(page, `/${organizationId}/acceptInvitation/${MISSING}${token}`);
      await expect(page.getByRole('heading', { name: 'No pending invitations found' })).toBeVisible();
      expect(await cookieNames(page)).not.toContain('pending-invitation');
    }
  });

  test('is remembered until the user signs out', async ({ page }) => {
    const [owner, person] = [await aPerson(), await aPerson()];
    const organizationId = await anOrganization(owner);
    await anInvitation(owner, organizationId, person.email);
    await open(page, await waitForInvitation(person.email));
    await expect(page.getByRole('heading', { name: 'Join Northwind' })).toBeVisible();
    await expect.poll(() => cookieNames(page)).toContain('pending-invitation');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, person);
    await expect(page.getByRole('heading', { name: 'Join Northwind' })).toBeVisible();
    await open(page, '/onboarding');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await cookieNames(page)).not.toContain('pending-invitation');
  });

  test('that cannot be loaded shows Error checking invitation and can be loaded again', async ({ page }) => {
    const owner = await aPerson();
    const email = newEmail();
    await anInvitation(owner, await anOrganization(owner), email);
    // Requests that end with 500 are repeated automatically, those with 409 are not.
    await page.route('**/api/v1/invitations/*', (route) => route.fulfill({ status: 409, body: '{}' }));
    await open(page, await waitForInvitation(email));
    await expect(page.getByText('Error checking invitation')).toBeVisible();
    await page.unroute('**/api/v1/invitations/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Join Northwind' })).toBeVisible();
  });

  test('that has expired offers to ask for a new one', async ({ page }) => {
    const owner = await aPerson();
    const email = newEmail();
    await expireInvitation(await anInvitation(owner, await anOrganization(owner), email));
    await open(page, await waitForInvitation(email));
    const ask = page.getByRole('link', { name: 'Ask for a new invitation' });
    await expect(ask).toHaveAttribute('href', new RegExp(`^mailto:${owner.email}\\?subject=`));
  });
});

test.describe('paths', () => {
  test('are normalized before the page opens, with query', async ({ page }) => {
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    await open(page, '/LOGIN/');
    await expect(page).toHaveURL(/\/login$/);
    await signIn(page, person);
    await open(page, '/addSource/?from=mail');
    await expect(page).toHaveURL(/\/addSource\?from=mail$/);
    await expect(page.getByRole('heading', { name: 'Add source' })).toBeVisible();
    await open(page, '/googlereauth');
    await expect(page).toHaveURL(/\/googleReauth$/);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await open(page, `/${organizationId.toUpperCase()}/Settings/`);
    await expect(page).toHaveURL(new RegExp(`/${organizationId}/settings$`));
  });

  test('with a text that is no id are unknown', async ({ page }) => {
    const person = await aPerson();
    const organizationId = await anOrganization(person);
    await open(page, '/login');
    await signIn(page, person);
    await expect(page).toHaveURL(/\/connection$/);
    for (const path of [`/${organizationId}/connection/1/configuration`, `/${organizationId}/app/one`, '/northwind/source']) {
      await open(page, path);
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expect(page.getByText(path, { exact: true })).toBeVisible();
    }
  });
});

test('a user with several organizations sees their list, with role and worst health', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person, 'Northwind');
  await anOrganization(person, 'Contoso');
  await open(page, `/${organizationId}/connection`);
  await signIn(page, person);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await open(page, '/');
  await expect(page).toHaveURL(/\/organizations$/);
  await expect(page.getByRole('link', { name: /Northwind.*Owner.*No connections/ })).toBeVisible();
  const withHealth = { items: [], nextCursor: null, counts: { all: 2, healthy: 1, failing: 1 } };
  await page.route('**/connections?limit=1', (route) => route.fulfill({ json: withHealth }));
  await page.route('**/api/getOrganizationIds?**', async (route) => {
    const answer = (await (await route.fetch()).json()) as { organizations: { connectionsCount: number }[] };
    for (const organization of answer.organizations) organization.connectionsCount = 2;
    await route.fulfill({ json: answer });
  });
  await page.reload();
  await expect(page.getByRole('link', { name: /Northwind.*Owner.*Failing.*2 connections/ })).toBeVisible();
});

test('the sidebar has support with the details that support asks for', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/source`);
  await signIn(page, person);
  await page.getByRole('complementary', { name: 'Navigation' }).getByRole('button', { name: 'Support' }).click();
  const dialog = page.getByRole('dialog', { name: 'Support' });
  await expect(dialog.getByText(organizationId)).toBeVisible();
  await expect(dialog.getByText('Ask the people who run this instance of Tributary.')).toBeVisible();
});

test('the state of the user in the browser has the specified fields, with the name of the server’s record', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/connection$/);
  const state = () => page.evaluate(() => JSON.parse(localStorage.getItem('fb_user') ?? '{}') as Record<string, unknown>);
  const photos = { photoURL: null, profileUrl: null };
  const staff = { super_admin: false, checkedForSuperAdmin: true };
  await expect.poll(state).toMatchObject({
    ...{ id: person.uid, uid: person.uid, email: person.email, displayName: 'Owner', isAuthenticated: true, ...photos, ...staff },
    ...{ orgId: organizationId, organization: { name: 'Northwind', logo: null }, organizations: [{ organizationId }] },
    pendingInvitationId: null,
  });
});

test('the last visited route is stored in the browser', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, `/${organizationId}/source?from=mail`);
  await signIn(page, person);
  const lastRoute = () => page.evaluate(() => localStorage.getItem('lastRoute'));
  await expect.poll(lastRoute).toBe(`/${organizationId}/source`);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await expect.poll(lastRoute).toBe(`/${organizationId}/app`);
});

test('the password-reset email leads back to the sign-in page', async ({ page }) => {
  const { email } = await aPerson();
  await open(page, '/forgotPassword');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect.poll(() => continueUrlOfReset(email)).toBe(new URL('/login', instance().url).href);
});

test('a failure of the organizations opens the error page', async ({ page }) => {
  const person = await aPerson();
  await page.route('**/api/getOrganizationIds?**', (route) => route.fulfill({ status: 500, body: '{}' }));
  await open(page, '/login');
  await signIn(page, person);
  await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible();
  await expect(page).toHaveTitle('Internal Server Error');
  await open(page, '/organizations');
  await expect(page.getByText('Couldn’t load organizations')).toBeVisible();
});

test('requests the organizations of all users for platform staff only', async ({ page, browser }) => {
  const staffPage = await (await browser.newContext()).newPage();
  for (const [tab, person, flag] of [
    [page, await aPerson(), 'false'],
    [staffPage, await aStaffPerson(), 'true'],
  ] as const) {
    await open(tab, '/login');
    const request = tab.waitForRequest('**/api/getOrganizationIds?**');
    await signIn(tab, person);
    expect(Object.fromEntries(new URL((await request).url()).searchParams)).toEqual({ userId: person.uid, superadmin: flag });
  }
  await staffPage.context().close();
});

test('platform staff keep their access when their record cannot be loaded', async ({ page }) => {
  const [staff, owner] = [await aStaffPerson(), await aPerson()];
  const organizationId = await anOrganization(owner);
  await open(page, '/login');
  await signIn(page, staff);
  const state = () => page.evaluate(() => JSON.parse(localStorage.getItem('fb_user') ?? '{}') as Record<string, unknown>);
  await expect.poll(state).toMatchObject({ super_admin: true, organizations: expect.any(Array) });
  let rejected = 0;
  await page.route(/\/api\/(getUser|getOrSaveUser)$/, (route) => {
    rejected += 1;
    return route.fulfill({ status: 503, body: '{}' });
  });
  const request = page.waitForRequest('**/api/getOrganizationIds?**');
  await open(page, `/${organizationId}/connection`);
  expect(new URL((await request).url()).searchParams.get('superadmin')).toBe('true');
  expect(rejected).toBe(2);
  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  expect(await state()).toMatchObject({ super_admin: true });
});

test('each visit identifies the user once, with the name of the server’s record', async ({ page, browser }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await open(page, '/login');
  await signIn(page, person);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('fb_user'))).toContain('"checkedForSuperAdmin":true');
  await page.evaluate(() => {
    const known = JSON.parse(localStorage.getItem('fb_user') ?? '{}') as object;
    localStorage.setItem('fb_user', JSON.stringify({ ...known, displayName: 'An earlier name' }));
  });
  const storageState = await page.context().storageState({ indexedDB: true });
  const visit = await (await browser.newContext({ storageState })).newPage();
  const calls = await recordCalls(visit);
  await open(visit, `/${organizationId}/connection`);
  const names = () => calls.filter(({ path }) => path === '/api/customerio/identify').map(({ body }) => body.traits?.name);
  await expect.poll(names).toContain('Owner');
  expect(names()).toEqual(['Owner']);
  await visit.context().close();
});

test('a sign-in starts the support messenger with the user’s identity proof', async ({ page }) => {
  const person = await aPerson();
  const calls = await recordCalls(page);
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, intercom: { appId: 'workspace', apiBase: 'https://api-iam.intercom.io' } } });
  });
  const proofsOf = () => calls.filter(({ path }) => path === '/api/getIntercomHash').map(({ body }) => body.userId);
  await open(page, '/login');
  expect(proofsOf()).toEqual([]);
  await signIn(page, person);
  await expect.poll(proofsOf).toEqual([person.uid]);
});

test('a build is described by builds/latest.json and builds/meta', async ({ request }) => {
  const read = async (path: string) => (await request.get(new URL(path, instance().url).href)).json() as Promise<unknown>;
  const { build } = (await read('/builds/latest.json')) as { build: string };
  const description = (await read(`/builds/meta/${build}.json`)) as { build: string; files: string[] };
  expect(description.build).toBe(build);
  const page = await (await request.get(instance().url)).text();
  const script = /<script type="module"[^>]+src="\/([^"]+)"/.exec(page)?.[1];
  expect(description.files).toContain(script);
});
