import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { post } from './calls.ts';
import type { Person } from './calls.ts';
import { instance } from './instance.ts';
import { get } from './resources.ts';
import { allowAccess, open } from './steps.ts';

const of = (organizationId: string): string => `${instance().url}/api/v1/organizations/${organizationId}`;

export const daysBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

export interface PushApp {
  id: string;
  name: string;
  push: (events: object[]) => Promise<void>;
}

/** A custom app with a push key. */
export async function aPushApp(person: Person, organizationId: string): Promise<PushApp> {
  const apps = `${of(organizationId)}/apps`;
  const { id, displayName } = await post<{ id: string; displayName: string }>(apps, { provider: 'custom' }, person.token);
  const { key } = await post<{ key: string }>(`${apps}/${id}/push/rotate-key`, {}, person.token);
  const { url } = await get<{ url: string }>(person, `${apps}/${id}/push`);
  const push = async (events: object[]) => {
    for (const event of events) await post(url, event, key);
  };
  return { id, name: displayName, push };
}

/** An order as a shop pushes it. */
export const anOrder = (orderId: string, part: object = {}): object => ({
  orderId,
  createdAt: daysBefore(1),
  total: 129.5,
  currency: 'EUR',
  consent: 'granted',
  customer: { email: 'shopper3@example.com', phone: '+49 171 1234567' },
  ...part,
});

/** Signs in with Google from the picker of destinations and continues to the wizard. */
export async function connectGoogle(page: Page): Promise<void> {
  await open(page, '/addConversionDestination');
  await page.getByRole('button', { name: 'Connect Google Ads' }).click();
  await allowAccess(page);
}

/** The account that owns conversion actions in the sandbox. */
export const OWNER_ACCOUNT = '9001000011';

/** Fills in the wizard up to the preview. The source has events, and Google Ads is connected. Calls `onStep` at each complete step. */
export async function fillInConversion(
  page: Page,
  app: PushApp,
  onStep: (step: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(app.name) }).check();
  await expect(page.getByRole('region', { name: 'Newest records', exact: true }).getByText('orderId').first()).toBeVisible();
  await onStep('source');
  await page.getByRole('button', { name: 'Destination' }).click();
  await page.getByRole('radiogroup', { name: 'Ad platform' }).getByRole('radio').first().check();
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: new RegExp(OWNER_ACCOUNT) }).click();
  await page.getByRole('radiogroup', { name: 'Destination action' }).locator('input:enabled').first().check();
  await onStep('destination');
  await page.getByRole('button', { name: 'Identifiers' }).click();
  await expect(page.getByRole('combobox', { name: 'Deduplication key' })).toHaveValue('orderId');
  await onStep('identifiers');
  await page.getByRole('button', { name: 'Consent' }).click();
  await expect(page.getByRole('region', { name: 'If consent is unknown' })).toBeVisible();
  await onStep('consent');
  await page.getByRole('button', { name: 'Preview' }).click();
}

/** The ID of the connected app of Google Ads. */
export async function googleApp(person: Person, organizationId: string): Promise<string> {
  const { items } = await get<{ items: { id: string; provider: string }[] }>(person, `${of(organizationId)}/apps`);
  return items.find(({ provider }) => provider === 'google_ads')?.id ?? '';
}

interface Ready {
  app: Pick<PushApp, 'id'>;
  /** Instead of the app. */
  source?: object;
  organizationId: string;
  name: string;
  /** Other settings of the conversion action. */
  settings?: object;
}

/** Creates a conversion without the wizard. It reads the pushed events and sends them to Google Ads. */
export async function aConversion(person: Person, { app, source, organizationId, name, settings = {} }: Ready): Promise<string> {
  const api = of(organizationId);
  const appId = await googleApp(person, organizationId);
  const { items } = await post<{ items: { name: string; settings: object; problem: string | null }[] }>(
    `${api}/conversion-setup/targets`,
    { appId, accountId: OWNER_ACCOUNT },
    person.token,
  );
  const target = items.find(({ problem }) => problem === null);
  if (!target) throw new Error('no conversion action can receive events');
  const field = (path: string) => ({ field: path });
  const body = {
    name,
    schedule: { kind: 'manual', timeZone: 'UTC' },
    since: daysBefore(30),
    source: source ?? { appId: app.id, settings: {} },
    target: { appId, accountId: OWNER_ACCOUNT, name: target.name, settings: { ...target.settings, ...settings } },
    mapping: {
      ...{ id: field('orderId'), orderId: field('orderId'), occurredAt: field('createdAt'), value: field('total') },
      ...{ currency: field('currency'), email: field('customer.email'), phone: field('customer.phone') },
      ...{ adUserData: field('consent'), adPersonalization: field('consent') },
    },
  };
  return (await post<{ id: string }>(`${api}/conversions`, body, person.token)).id;
}
