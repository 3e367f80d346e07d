import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyConversionDraft } from '~/api/conversions/conversion-draft';
import type { ConversionDraft } from '~/api/conversions/conversion-draft';
import { startingRules } from '~/domain/conversions/rules';
import { newConversionOf, rulesBodyOf, sampleKeyOf, stepNeeds, stepToShow } from './steps';

const withSource: ConversionDraft = {
  ...emptyConversionDraft,
  source: { provider: 'custom', appId: 'app', destinationId: null, name: 'Till' },
};
const sample = { fields: ['id', 'at', 'gclid'], idField: null, timeField: null, of: sampleKeyOf(withSource) };
const sampled: ConversionDraft = { ...withSource, sample };
const complete: ConversionDraft = {
  ...sampled,
  appId: 'google',
  accountId: '1',
  target: { name: 'Purchase', settings: { conversionActionId: '7' } },
  rules: {
    ...startingRules,
    mapping: { id: { field: 'id' }, occurredAt: { field: 'at' }, gclid: { field: 'gclid' } },
  },
  name: ' Till to Google ',
  schedule: { kind: 'manual', timeZone: 'UTC' },
};

describe('a step names its first missing input', () => {
  test.each<[string, ConversionDraft]>([
    ['Select a source', emptyConversionDraft],
    ['Load a sample', withSource],
    ['Load a sample', { ...sampled, sourceSettings: { query: 'select 1' } }],
    ['The source has no events yet', { ...withSource, sample: { ...sample, fields: [] } }],
    [
      'Select the field of each condition',
      {
        ...sampled,
        rules: { ...startingRules, filter: [{ field: '', operator: 'equals', value: '' }] },
      },
    ],
  ])('source: %s', (missing, draft) => expect(stepNeeds('source', draft)).toBe(missing));

  test('destination, consent and activate', () => {
    expect(stepNeeds('destination', sampled)).toBe('Select an app');
    expect(stepNeeds('destination', { ...sampled, appId: 'a' })).toBe('Select an account');
    expect(stepNeeds('destination', { ...sampled, appId: 'a', accountId: '1' })).toBe('Select what receives the events');
    const toMeta = (eventName: string) => ({ ...complete, target: { name: 'Pixel', settings: { datasetId: '1', eventName } } });
    expect(stepNeeds('destination', toMeta(' '))).toBe('Enter an event name');
    expect(stepNeeds('destination', toMeta('Lead'))).toBeNull();
    expect(stepNeeds('activate', { ...complete, name: ' ' })).toBe('Enter a name');
    expect(stepNeeds('activate', { ...complete, since: '' })).toBe('Enter a day');
  });
});

test('shows the requested step only if the steps before it are complete', () => {
  expect(stepToShow('activate', emptyConversionDraft)).toBe('source');
  expect(stepToShow('preview', sampled)).toBe('destination');
  expect(stepToShow('consent', complete)).toBe('consent');
  expect(stepToShow(null, complete)).toBe('activate');
});

test('builds the request only of a complete draft', () => {
  expect(rulesBodyOf(sampled)).toBeNull();
  expect(newConversionOf({ ...complete, schedule: null })).toBeNull();
  const body = newConversionOf({ ...complete, since: '2026-11-01' });
  expect(body).toMatchObject({
    name: 'Till to Google',
    since: '2026-11-01T00:00:00.000Z',
    source: { appId: 'app', settings: {} },
    target: { appId: 'google', accountId: '1', name: 'Purchase', settings: { conversionActionId: '7' } },
  });
  expect(newConversionOf(complete)).not.toHaveProperty('since');
});

describe('in Los Angeles', () => {
  beforeEach(() => void vi.stubEnv('TZ', 'America/Los_Angeles'));
  afterEach(() => void vi.unstubAllEnvs());

  test('the first day of earlier events starts at midnight of the user', () => {
    expect(newConversionOf({ ...complete, since: '2026-07-01' })?.since).toBe('2026-07-01T07:00:00.000Z');
    expect(newConversionOf({ ...complete, since: '2026-11-02' })?.since).toBe('2026-11-02T08:00:00.000Z');
  });
});
