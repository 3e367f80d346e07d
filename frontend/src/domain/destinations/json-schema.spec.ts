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

test('something that is no schema draws no fields', () => {
  expect([fieldsOf(null), fieldsOf({ properties: 3 }), fieldsOf([])]).toEqual([[], [], []]);
});

test('a needed field that is empty says so by its name', () => {
  expect(host && fieldError(host, '  ')).toBe('Host is needed');
});

test('numbers are whole and within their bounds', () => {
  expect(['x', '0', '70000', '5432'].map((value) => port && fieldError(port, value))).toEqual([
    'A whole number',
    'At least 1',
    'At most 65535',
    null,
  ]);
});

test('a choice is called by its title, where the schema gives it one', () => {
  const property = { type: 'string', enum: ['delta', 'resend'], enumTitles: { delta: 'Send the difference' } };
  expect(fieldsOf({ properties: { mode: property } })[0]?.choiceTitles).toEqual({ delta: 'Send the difference' });
});

test('a field without a title is named by its words', () => {
  expect(fields.map((field) => field.title)).toEqual(['Host', 'Port', 'Ssl mode', 'Table prefix', 'Password']);
});

test('defaults fill the form, and what is known already wins over them', () => {
  expect(initialValues(fields, { host: 'a', port: 1 })).toEqual({
    host: 'a',
    port: '1',
    sslMode: 'require',
    tablePrefix: '',
    password: '',
  });
});

test('the payload has the types of the schema and leaves out what was not filled in; a password keeps its blanks', () => {
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

test('a list of names that are given is chosen from; any other list is text', () => {
  expect(windows.map(({ type, choices, fallback }) => [type, choices, fallback])).toEqual([
    ['list', ['1d_click', '7d_click'], '1d_click,7d_click'],
    ['string', null, ''],
  ]);
});

test('a list that was emptied is sent empty, so that its default does not come back', () => {
  expect(toPayload(windows, { windows: '', words: '' })).toEqual({ windows: [] });
  expect(toPayload(windows, initialValues(windows, { windows: ['7d_click'] }))).toEqual({ windows: ['7d_click'] });
  expect(listOf('')).toEqual([]);
});
