import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { anOrganization, aPerson } from './support/calls.ts';
import { warehouse } from './support/instance.ts';
import { connectSource, sources } from './support/pairs.ts';
import { fillInWarehouse, open, openAs } from './support/steps.ts';

/** Each form of a destination has its test beside its primary action, aligned fields, and every error once. */

const WIDTHS = [1440, 390, 360];
const testButton = (page: Page) => page.getByRole('button', { name: 'Test connection' });

async function expectOneFooter(page: Page, primary: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(() => scrollTo(0, 0));
    const button = page.getByRole('button', { name: primary });
    await expect(testButton(page)).toBeInViewport({ ratio: 1 });
    await expect(button).toBeInViewport({ ratio: 1 });
    const [first, second] = [(await testButton(page).boundingBox())!, (await button.boundingBox())!];
    expect.soft(first.y, `${primary} at ${width}`).toBe(second.y);
    const gap = second.x - first.x - first.width;
    expect.soft(gap, `gap before ${primary} at ${width}`).toBeGreaterThanOrEqual(4);
    expect.soft(gap, `gap before ${primary} at ${width}`).toBeLessThanOrEqual(16);
  }
  await page.setViewportSize({ width: 1440, height: 844 });
}

/** Fields whose labels are on one line, with the lines of their inputs. */
async function expectAlignedFields(page: Page): Promise<void> {
  const fields = await page.locator('form').evaluate((form) =>
    [...form.querySelectorAll('label')].flatMap((label) => {
      const input = document.getElementById(label.htmlFor);
      // The input of a password is inside of what looks like an input.
      const box = input?.closest('.mantine-Input-wrapper');
      const isText = input?.matches('input:not([type=radio], [type=checkbox])');
      return isText && box ? [{ label: label.getBoundingClientRect().y, input: box.getBoundingClientRect().y }] : [];
    }),
  );
  const rows = Map.groupBy(fields, ({ label }) => label);
  expect([...rows.values()].some(({ length }) => length > 1)).toBe(true);
  for (const row of rows.values()) expect.soft(new Set(row.map(({ input }) => input)).size).toBe(1);
}

test('the wizard has the test of a new destination beside its next step', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/createConnection`);
  await connectSource(page, sources[0]!);
  for (const kind of ['PostgreSQL', 'BigQuery', 'Mixpanel']) {
    await page.getByRole('radio', { name: new RegExp(`New ${kind}`) }).check();
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
      kind === 'PostgreSQL' ? 'Warehouse' : kind,
    );
    await expectOneFooter(page, 'Test and continue');
    await expectAlignedFields(page);
  }
  // Without an access there is nothing to test. A phone shows the reason in its place.
  await page.getByRole('radio', { name: /New BigQuery/ }).check();
  await page.getByRole('radio', { name: /Sign in with Google/ }).check();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('Sign in, or choose another sign-in method')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Back' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Test and continue' })).toBeInViewport({ ratio: 1 });
});

test('the pages of new and saved destinations have test and save on one line', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination`);
  for (const provider of ['bigquery', 'mixpanel', 'postgresql']) {
    await open(page, `/${organizationId}/destination/new/configuration?provider=${provider}`);
    await expectOneFooter(page, 'Add destination');
    await expectAlignedFields(page);
  }
  await fillInWarehouse(page);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expectOneFooter(page, 'Save destination');
  await expectAlignedFields(page);
});

test('marks the port of a server that does not answer and says why once, until the port is changed', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  await fillInWarehouse(page);
  const port = page.getByRole('textbox', { name: 'Port' });
  const reason = page.getByText(/could be reached at .* on port/);
  await port.fill('9');
  for (const name of ['Test connection', 'Add destination']) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByText('Server reachable: Failed')).toBeVisible();
    await expect(port).toHaveAttribute('aria-invalid', 'true');
    await expect(reason).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'Checks' })).toContainText('Check the host, port and firewall');
  }
  const before = await page.getByRole('region', { name: 'Checks' }).boundingBox();
  await port.fill(warehouse().port);
  await expect(port).not.toHaveAttribute('aria-invalid', 'true');
  await expect(reason).toHaveCount(0);
  expect(await page.getByRole('region', { name: 'Checks' }).boundingBox()).toEqual(before);
});

/** Another port of the warehouse's server. `close` ends its connections, too. */
async function anotherPort(): Promise<{ port: string; close: () => void }> {
  const { host, port } = warehouse();
  const open: Socket[] = [];
  const server = createServer((socket) => {
    const target = connect(Number(port), host);
    open.push(socket, target);
    for (const one of [socket, target]) one.on('error', () => one.destroy());
    socket.pipe(target).pipe(socket);
  });
  server.listen(0);
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { port: String((server.address() as AddressInfo).port), close };
}

test('marks the port of a saved destination whose server stopped answering, until the port is changed', async ({ page }) => {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const server = await anotherPort();
  await openAs(page, person, `/${organizationId}/destination/new/configuration?provider=postgresql`);
  await fillInWarehouse(page);
  const port = page.getByRole('textbox', { name: 'Port' });
  await port.fill(server.port);
  await page.getByRole('button', { name: 'Add destination' }).click();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();
  await expect(port).not.toHaveAttribute('aria-invalid', 'true');
  server.close();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Server reachable: Failed')).toBeVisible();
  await expect(port).toHaveAttribute('aria-invalid', 'true');
  await page.reload();
  await expect(page.getByText('Server reachable: Failed')).toBeVisible();
  await expect(port).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(/could be reached at .* on port/)).toHaveCount(1);
  await expect(page.getByText('Check the port', { exact: true })).toBeVisible();
  await port.fill(warehouse().port);
  await expect(port).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Password', { exact: true }).fill(warehouse().password);
  await page.getByRole('button', { name: 'Save destination' }).click();
  await expect(page.getByText('Destination saved')).toBeVisible();
  await expect(port).not.toHaveAttribute('aria-invalid', 'true');
});
