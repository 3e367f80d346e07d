import { expect, it } from 'vitest';
import type { PushEndpoint } from '~/api/types';
import { sampleCurl, sampleEvent } from './sample-curl';

const endpoint = { url: 'https://tributary.example.com/push/abc', schema: null, dedupeField: null } as PushEndpoint;

it('uses a shell variable when the key is unknown', () => {
  expect(sampleCurl(endpoint, null)).toContain('Bearer $TRIBUTARY_PUSH_KEY"');
  expect(sampleCurl(endpoint, 'trp_secret')).toContain('Bearer trp_secret"');
});

it('escapes quotes in the body', () => {
  const odd = sampleCurl({ ...endpoint, schema: { properties: { of: { enum: ["the shop's"] } } } }, null);
  expect(odd.split('-d ')[1]).toBe(`'{"of":"the shop\\u0027s"}'`);
});

it('matches the schema and fills the deduplication field', () => {
  const schema = {
    properties: { id: { type: 'integer' }, at: { type: 'string', format: 'date-time' }, currency: { enum: ['EUR'] } },
  };
  expect(sampleEvent({ schema, dedupeField: 'order' })).toEqual({
    order: 'A-1001',
    id: 12,
    at: '2026-11-20T12:00:00Z',
    currency: 'EUR',
  });
});
