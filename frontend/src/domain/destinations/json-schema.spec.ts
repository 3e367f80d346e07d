import { expect, test } from 'vitest';
import { fieldError, fieldsOf, initialValues, listOf, toPayload } from './json-schema';

const schema = {
  type: 'object',
  required: ['host', 'port'],
  properties: {
    host: { type: 'string', title: 'Host', examples: ['db.example.com'] },
    port: { type: 'integer', minimum: 1, maximum: 65535, default: 5432 },
    sslMode: { type: 'string', enum: ['require', 'disable'], default: 'require' },
    tablePrefix: { type: 'string' },
    password: { type: 'string', format: 'password' },
  },
};
const fields = fieldsOf(schema);
const [host, port] = fields;

test('returns no fields for an invalid schema', () => {
  expect([fieldsOf(null), fieldsOf({ properties: 3 }), fieldsOf([])]).toEqual([[], [], []]);
});

test('rejects an empty required field and names it', () => {
  expect(host && fieldError(host, '  ')).toBe('Enter a host');
  const titled = (title: string) => ({ ...host!, title });
  expect(['Event name', 'User', 'API secret'].map((title) => fieldError(titled(title), ''))).toEqual([
    'Enter an event name',
    'Enter a user',
    'Enter an API secret',
  ]);
  expect(fieldError({ ...titled('Data residency'), choices: ['US', 'EU'] }, '')).toBe('Choose a data residency');
});

test('rejects numbers that are not whole or out of range', () => {
  expect(['x', '0', '70000', '5432'].map((value) => port && fieldError(port, value))).toEqual([
    'Enter a whole number',
    'Enter at least 1',
    'Enter at most 65535',
    null,
  ]);
});

test('reads the titles of choices', () => {
  const property = { type: 'string', enum: ['delta', 'resend'], enumTitles: { delta: 'Send a delta' } };
  expect(fieldsOf({ properties: { mode: property } })[0]?.choiceTitles).toEqual({ delta: 'Send a delta' });
});

test('derives a missing title from the name of the field', () => {
  expect(fields.map((field) => field.title)).toEqual(['Host', 'Port', 'Ssl mode', 'Table prefix', 'Password']);
});

test('fills the form with saved values, then with defaults', () => {
  expect(initialValues(fields, { host: 'a', port: 1 })).toEqual({
    host: 'a',
    port: '1',
    sslMode: 'require',
    tablePrefix: '',
    password: '',
  });
});

test('converts values to the types of the schema, omits empty values and does not trim passwords', () => {
  expect(toPayload(fields, { host: ' db ', port: '5432', sslMode: 'require', tablePrefix: '', password: ' s ' })).toEqual({
    host: 'db',
    port: 5432,
    sslMode: 'require',
    password: ' s ',
  });
});

const windows = fieldsOf({
  properties: {
    windows: { type: 'array', items: { type: 'string', enum: ['1d_click', '7d_click'] }, default: ['1d_click', '7d_click'] },
    words: { type: 'array', items: { type: 'string' } },
  },
});

test('shows a list with choices as a list and any other list as text', () => {
  expect(windows.map(({ type, choices, fallback }) => [type, choices, fallback])).toEqual([
    ['list', ['1d_click', '7d_click'], '1d_click,7d_click'],
    ['string', null, ''],
  ]);
});

test('sends an emptied list as an empty list, so that the default does not apply', () => {
  expect(toPayload(windows, { windows: '', words: '' })).toEqual({ windows: [] });
  expect(toPayload(windows, initialValues(windows, { windows: ['7d_click'] }))).toEqual({ windows: ['7d_click'] });
  expect(listOf('')).toEqual([]);
});
