import { expect, test } from 'vitest';
import { KEY_FILE_LIMIT, readKeyFile } from './key-file';

const whole = {
  type: 'service_account',
  project_id: 'northwind',
  client_email: 'loader@northwind.example',
  private_key: 'secret',
};

const problemOf = (text: string): string => {
  const file = readKeyFile(text);
  return 'problem' in file ? file.problem : '';
};

test('rejects an incomplete file, an OAuth client and other kinds of keys', () => {
  expect(problemOf(JSON.stringify(whole).slice(0, 40))).toContain('not JSON');
  expect(problemOf(JSON.stringify({ installed: { client_id: 'x' } }))).toContain('OAuth client');
  expect(problemOf(JSON.stringify({ type: 'authorized_user' }))).toContain('not the key file');
  expect(problemOf(JSON.stringify({ ...whole, private_key: undefined }))).toContain('missing');
  expect(problemOf(' '.repeat(KEY_FILE_LIMIT + 1))).toContain('too long');
});

test('reads the account and the project', () => {
  expect(readKeyFile(`\n${JSON.stringify(whole, null, 2)}\n`)).toEqual({
    clientEmail: 'loader@northwind.example',
    projectId: 'northwind',
  });
});

test('accepts a file without a project', () => {
  expect(readKeyFile(JSON.stringify({ ...whole, project_id: undefined }))).toMatchObject({ projectId: null });
});
