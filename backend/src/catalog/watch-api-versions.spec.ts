import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { moveClock } from '../../test/clock.js';
import { Metrics } from '../core/observability/metrics.js';
import { WatchApiVersions } from './watch-api-versions.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ GOOGLE_ADS_API_VERSION: 'v25', META_API_VERSION: 'v26.0' });
});
afterEach(() => moveClock(0));
afterAll(() => app.stop());

const watch = () => app.get(WatchApiVersions).watch();
const daysUntil = (day: string) => Math.ceil((Date.parse(day) - Date.now()) / 86_400_000);
function moveTo(day: string): void {
  moveClock(0);
  moveClock(daysUntil(day));
}

it('does not warn while every version has more than 60 days left', () => {
  moveTo('2027-05-20');
  expect(watch()).toEqual([]);
});

it('warns 60 days before a version ends, by the date of each platform', () => {
  moveTo('2027-06-05');
  const google = { provider: 'google_ads', version: 'v25', endsOn: '2027-08-01' };
  expect(watch()).toMatchObject([google, { provider: 'meta_ads', version: 'v26.0', endsOn: '2027-07-29' }]);
  moveTo('2027-05-31');
  expect(watch()).toMatchObject([{ provider: 'meta_ads' }]);
});

it('continues to warn after a version has ended', () => {
  moveTo('2027-08-03');
  expect(watch()).toEqual([
    expect.objectContaining({ provider: 'google_ads', daysLeft: expect.any(Number) }),
    expect.objectContaining({ provider: 'meta_ads' }),
  ]);
  expect(watch().every(({ daysLeft }) => Number(daysLeft) < 0)).toBe(true);
});

it('exports the days left as a metric for versions with a known end', async () => {
  const text = await app.get(Metrics).registry.metrics();
  const lines = text.split('\n').filter((line) => line.startsWith('provider_api_version_days_left{'));
  expect(lines).toEqual([
    `provider_api_version_days_left{provider="google_ads",version="v25"} ${daysUntil('2027-08-01')}`,
    `provider_api_version_days_left{provider="meta_ads",version="v26.0"} ${daysUntil('2027-07-29')}`,
  ]);
});

it.each([
  ['v24.0', { endsOn: '2026-10-06' }],
  ['v27.0', { endsOn: '2027-11-04' }],
  ['v99.0', { endsOn: null, daysLeft: null }],
])('warns of Meta’s %s, also if its end is unknown', async (version, end) => {
  const other = await startTestApp({ META_API_VERSION: version });
  moveTo('2027-10-01');
  const ending = other.get(WatchApiVersions).watch();
  moveClock(0);
  await other.stop();
  expect(ending.find(({ provider }) => provider === 'meta_ads')).toMatchObject({ version, ...end });
});
