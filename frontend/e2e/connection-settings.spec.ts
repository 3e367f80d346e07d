import { expect, test } from '@playwright/test';
import { aLoadedConnection } from './support/backfills.ts';
import { anOrganization, aPerson, post, renameResource } from './support/calls.ts';
import { aSource } from './support/connections.ts';
import { daysAgo } from './support/days.ts';
import { sources } from './support/pairs.ts';
import { newPrefix } from './support/prefixes.ts';
import { createWarehouse, get } from './support/resources.ts';
import { instance } from './support/instance.ts';
import { open, startSignedIn } from './support/steps.ts';

test('keeps the input after a conflict, shows it in view, and saves the chosen version', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await startSignedIn(page, person);
  const [source, destinationId] = [
    await aSource(person, organizationId, sources[0]!),
    await createWarehouse(person, organizationId, newPrefix('conflict')),
  ];
  const { id } = await post<{ id: string }>(
    `${instance().url}/api/v1/organizations/${organizationId}/connections`,
    {
      name: 'Search',
      sourceId: source.id,
      destinationId,
      streams: ['campaign_daily'],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      historyFrom: daysAgo(3),
    },
    person.token,
  );
  await page.setViewportSize({ width: 1280, height: 700 });
  await open(page, `/${organizationId}/connection/${id}/configuration?tab=settings`);
  // The end of the first run loads the connection again: the conflict would be shown before the save.
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Mine');
  await renameResource(person, organizationId, 'connections', id, 'Theirs');
  await page.getByRole('button', { name: 'Save settings' }).click();
  const notice = page.getByText('Someone else saved changes to this connection');
  await expect(notice).toBeInViewport();
  await expect(name).toHaveValue('Mine');
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mine', level: 1 })).toBeVisible();

  // A rejected value: the error is where the button is.
  await page.route('**/connections/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          json: { type: 'about:blank', title: 'Rejected', status: 422, code: 'request.invalid', detail: 'The name is rejected' },
        })
      : route.continue(),
  );
  await name.fill('Rejected');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText(/The name is rejected/)).toBeInViewport();
  await expect(name).toHaveValue('Rejected');
});

interface Saved {
  version: number;
  name: string;
  tags: string[];
}

test('keeps what is typed while a save ends, and saves it without a conflict', async ({ page }) => {
  const { person, url, page: path } = await aLoadedConnection(page, newPrefix('typed'));
  await open(page, `${path}?tab=settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Renamed');
  // The form reads the saved version only when the test lets it.
  const gate = Promise.withResolvers<undefined>();
  await page.route(`**${new URL(url).pathname}`, async (route) => {
    if (route.request().method() === 'GET') await gate.promise;
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Save settings' });
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const tags = page.getByPlaceholder('Type a tag and press Enter');
  await tags.fill('urgent');
  await page.keyboard.press('Enter');
  gate.resolve(undefined);
  await expect(page.getByRole('heading', { name: 'Renamed', level: 1 })).toBeVisible();
  await expect(save).toBeEnabled();
  await expect(page.getByText('urgent', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('Renamed');
  await expect(page.getByText('Someone else saved changes')).toHaveCount(0);
  await save.click();
  await expect.poll(async () => (await get<Saved>(person, url)).tags).toEqual(['urgent']);
  expect((await get<Saved>(person, url)).name).toBe('Renamed');
  await expect(save).toBeDisabled();
  await expect(page.getByText('Someone else saved changes')).toHaveCount(0);
});

test('keeps what was saved when the saved version cannot be loaded, and saves a later change without undoing it', async ({
  page,
}) => {
  const { person, url, page: path } = await aLoadedConnection(page, newPrefix('behind'));
  await open(page, `${path}?tab=settings`);
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Renamed');
  await page.route(`**${new URL(url).pathname}`, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 503, json: { detail: 'Not available' } }) : route.continue(),
  );
  const save = page.getByRole('button', { name: 'Save settings' });
  await save.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(name).toHaveValue('Renamed');
  await page.getByPlaceholder('Type a tag and press Enter').fill('urgent');
  await page.keyboard.press('Enter');
  await save.click();
  await expect.poll(async () => (await get<Saved>(person, url)).tags).toEqual(['urgent']);
  expect((await get<Saved>(person, url)).name).toBe('Renamed');
});

test('shows the time of day of the version that the user chose after a conflict', async ({ page }) => {
  const { person, url, page: path } = await aLoadedConnection(page, newPrefix('timeofday'));
  const change = async (body: object) => {
    const { version } = await get<Saved>(person, url);
    const answer = await fetch(url, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...body, version }),
    });
    expect(answer.status).toBe(200);
  };
  await change({ schedule: { kind: 'daily', atTime: '06:15', timeZone: 'UTC' } });
  await open(page, `${path}?tab=settings`);
  const time = page.getByRole('textbox', { name: 'Time of day, 24 hours' });
  await expect(time).toHaveValue('06:15');
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await change({ schedule: { kind: 'daily', atTime: '21:45', timeZone: 'UTC' } });
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expect(time).toHaveValue('21:45');
  // A time is written in full when the field is left, and a text that is no time is replaced.
  await time.fill('7:30');
  await expect(time).toHaveValue('7:30');
  await time.blur();
  await expect(time).toHaveValue('07:30');
  await time.fill('99');
  await time.blur();
  await expect(time).toHaveValue('07:30');
});
