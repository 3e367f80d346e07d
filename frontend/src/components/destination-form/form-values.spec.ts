import { expect, test } from 'vitest';
import { fieldsOf } from '~/domain/destinations/json-schema';
import { toProblem } from '~/api/http/problem';
import type { App } from '~/api/types';
import {
  errorsOf,
  codesShownAtFields,
  fieldsOfFailedChecks,
  inReadingOrder,
  isServerChanged,
  reasonToReenter,
  rejectedFields,
  secretFieldsOf,
  toInput,
} from './form-values';
import type { AuthMethod } from './auth-methods';

const settings = fieldsOf({ properties: { projectId: { type: 'string' } }, required: ['projectId'] });
const key: AuthMethod = {
  id: 'typed',
  kind: 'typed',
  schema: { properties: { serviceAccountKey: { type: 'string', format: 'password' } }, required: ['serviceAccountKey'] },
};
const account: AuthMethod = {
  id: 'typed',
  kind: 'typed',
  schema: {
    properties: { username: { type: 'string' }, secret: { type: 'string', format: 'password' } },
    required: ['username', 'secret'],
  },
};

test('rejects an invalid key file at its field', () => {
  const errors = errorsOf(settings, secretFieldsOf(key), { projectId: 'p', serviceAccountKey: '{' }, false);
  expect(errors.serviceAccountKey).toContain('not JSON');
  expect(errors.projectId).toBeNull();
});

test('keeps saved secrets when none is typed, and requires all when one is typed', () => {
  const secrets = secretFieldsOf(account);
  expect(Object.keys(errorsOf(settings, secrets, { projectId: 'p' }, true))).toEqual(['projectId']);
  expect(errorsOf(settings, secrets, { projectId: 'p', secret: 's' }, true).username).toBe('Enter a username');
  expect(toInput('n', settings, account, { projectId: 'p' }, true)).toEqual({ name: 'n', settings: { projectId: 'p' } });
});

test('requires the secret for another user name and sends both', () => {
  const secrets = secretFieldsOf(account);
  expect(errorsOf(settings, secrets, { projectId: 'p', username: 'other' }, true).secret).toBe('Enter a secret');
  const values = { projectId: 'p', username: 'other', secret: 's' };
  expect(toInput('n', settings, account, values, true).credentials).toEqual({ username: 'other', secret: 's' });
});

test('sends an app instead of secrets', () => {
  const method: AuthMethod = { id: 'a', kind: 'app', app: { id: 'a' } as App };
  expect(toInput(' n ', settings, method, { projectId: 'p', serviceAccountKey: 'left over' }, false)).toEqual({
    name: 'n',
    settings: { projectId: 'p' },
    appId: 'a',
  });
});

test('shows an error of the server at its field', () => {
  const errors = [{ field: 'settings.projectId', message: 'no such project' }];
  const problem = toProblem(422, { code: 'request.invalid', errors }, null);
  expect(rejectedFields(problem)).toEqual({ projectId: 'no such project' });
  expect(rejectedFields(new Error('offline'))).toEqual({});
});

const server = fieldsOf({
  properties: {
    host: { type: 'string', bindsCredentials: true },
    port: { type: 'integer', bindsCredentials: true },
    schema: { type: 'string' },
  },
});

test('requires stored secrets again when the server changes, but not when the schema changes', () => {
  const saved = { host: 'db.example.com', port: '5432', schema: 'public' };
  expect(isServerChanged(server, { ...saved, schema: 'ads' }, saved)).toBe(false);
  expect(isServerChanged(server, { ...saved, host: ' DB.example.com ' }, saved)).toBe(false);
  expect(isServerChanged(server, { ...saved, host: 'other.example.com' }, saved)).toBe(true);
  expect(isServerChanged(server, { ...saved, port: '5433' }, saved)).toBe(true);
});

test('names the host in the reason', () => {
  const [password] = fieldsOf({ properties: { password: { type: 'string', title: 'Password', format: 'password' } } });
  expect(reasonToReenter(password!, { host: 'other.example.com' })).toBe(
    'The saved password only works with the saved server. Enter the password for other.example.com.',
  );
  expect(reasonToReenter(password!, {})).toBe('The saved password only works with the saved settings. Enter it again.');
});

test('shows an error of the credentials at the secret', () => {
  const errors = [{ field: 'credentials', message: 'The saved secret is only used there.' }];
  const problem = toProblem(422, { code: 'destination.credentials_required', errors }, null);
  expect(rejectedFields(problem, secretFieldsOf(account))).toEqual({ secret: 'The saved secret is only used there.' });
});

const postgresql = fieldsOf({
  properties: { host: { type: 'string' }, port: { type: 'integer' }, user: { type: 'string' }, tablePrefix: { type: 'string' } },
});

test('asks for the password after the user', () => {
  const [password] = fieldsOf({ properties: { password: { type: 'string', format: 'password' } } });
  expect(inReadingOrder(postgresql, password ? [password] : []).map(({ name }) => name)).toEqual([
    'host',
    'port',
    'user',
    'password',
    'tablePrefix',
  ]);
});

test('marks the field that a failed check is about', () => {
  const item = { label: 'Server reachable', code: 'connects', detail: 'Nothing listens on this port.' };
  expect(fieldsOfFailedChecks([{ ...item, state: 'failed' }], postgresql)).toEqual({ port: 'Nothing listens on this port.' });
  const unknown = { ...item, state: 'failed', detail: 'The host name "db" does not resolve.' };
  expect(fieldsOfFailedChecks([unknown], postgresql)).toEqual({ host: unknown.detail });
  expect(fieldsOfFailedChecks([{ ...item, state: 'passed' }], postgresql)).toEqual({});
  expect(fieldsOfFailedChecks([{ ...item, state: 'failed', code: 'reads_back' }], postgresql)).toEqual({});
});

test('a field does not repeat the cause that is shown above the form', () => {
  const item = { label: 'Server reachable', code: 'connects', state: 'failed', detail: 'Nothing listens on this port.' };
  const unknown = { ...item, detail: 'The host name "db" does not resolve.' };
  expect(fieldsOfFailedChecks([item], postgresql, item.detail)).toEqual({ port: 'Check the port' });
  expect(fieldsOfFailedChecks([unknown], postgresql, unknown.detail)).toEqual({ host: 'Check the host' });
  expect(fieldsOfFailedChecks([item], postgresql, 'Another failure')).toEqual({ port: item.detail });
});

test('the list of steps does not repeat what a field says, but tells why credentials were rejected', () => {
  const steps = ['connects', 'signs_in', 'reads_back'].map((code) => ({
    code,
    state: 'failed',
    label: code,
    detail: `Why ${code}`,
  }));
  expect(codesShownAtFields(steps, postgresql)).toEqual(['connects']);
  expect(fieldsOfFailedChecks(steps, postgresql)).toEqual({ port: 'Why connects', user: 'Check the user and the password' });
});
