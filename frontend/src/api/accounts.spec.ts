import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOrganization, getIntercomHash, getOrSaveUser, getUser } from './accounts';

const warn = vi.spyOn(console, 'warn');
beforeEach(() => warn.mockImplementation(() => undefined));
afterEach(() => {
  warn.mockReset();
  vi.unstubAllGlobals();
});

const answer = (status: number, body: object) =>
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })),
  );

const calls = {
  getOrSaveUser: () => getOrSaveUser({ email: 'a@example.com', uid: 'a' }),
  getUser: () => getUser('a'),
  getIntercomHash: () => getIntercomHash('a'),
};

test.each(Object.entries(calls))('%s logs a failure and returns null', async (name, call) => {
  answer(500, { success: false, message: 'Failed' });
  expect(await call()).toBeNull();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await call()).toBeNull();
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([`${name} failed`, `${name} failed`]);
});

test('getUser returns null for a user without a record, which is no failure', async () => {
  answer(404, { success: false, message: 'The user was not found.' });
  expect(await getUser('a')).toBeNull();
  expect(warn).not.toHaveBeenCalled();
});

test('getUser returns the record', async () => {
  answer(200, { success: true, message: 'User found', user: { uid: 'a', role: 'user' } });
  expect(await getUser('a')).toEqual({ uid: 'a', role: 'user' });
});

test('createOrganization throws a failure', async () => {
  answer(500, { success: false, message: 'Failed' });
  await expect(createOrganization({ companyName: 'Northwind' })).rejects.toMatchObject({ status: 500, message: 'Failed' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(createOrganization({ companyName: 'Northwind' })).rejects.toThrow(
    'Tributary could not be reached. Check your connection, then try again.',
  );
});
