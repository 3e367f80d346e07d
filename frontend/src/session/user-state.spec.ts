import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  checkedStateOf,
  profileOf,
  readRememberedOrganization,
  readUserState,
  rememberOrganization,
  userStateOf,
  writeUserState,
} from './user-state';

const stored = new Map<string, string>();
const storageOf = (items: Map<string, string>) => ({
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => items.set(key, value),
  removeItem: (key: string) => items.delete(key),
});
const openTab = (items: Map<string, string>) => vi.stubGlobal('sessionStorage', storageOf(items));

beforeEach(() => {
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('localStorage', storageOf(stored));
  openTab(new Map());
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

const provided = {
  uid: 'u1',
  email: 'a@example.com',
  emailVerified: true,
  displayName: 'At the provider',
  photoURL: 'https://example.com/provider.png',
};
const record = { uid: 'u1', email: 'b@example.com', fullName: 'In the record', photoURL: null, role: 'user' as const };

test('contains uid and profileUrl, as the specification names them', () => {
  expect(userStateOf(provided, null)).toMatchObject({ id: 'u1', uid: 'u1', profileUrl: null, displayName: 'At the provider' });
  const withPhoto = { ...record, photoURL: 'https://example.com/record.png' };
  expect(profileOf(withPhoto, provided)).toMatchObject({ profileUrl: withPhoto.photoURL, photoURL: withPhoto.photoURL });
});

test('prefers the server’s record to the provider, also after the provider reports the user again', () => {
  const known = { ...userStateOf(provided, null), ...profileOf(record, provided) };
  expect(known).toMatchObject({ displayName: 'In the record', email: 'b@example.com' });
  expect(userStateOf(provided, known)).toMatchObject({ displayName: 'In the record', email: 'b@example.com' });
});

test('fills in a missing photo from the provider', () => {
  expect(profileOf(record, provided)).toMatchObject({ profileUrl: null, photoURL: provided.photoURL });
  const known = { ...userStateOf(provided, null), photoURL: null };
  expect(userStateOf(provided, known).photoURL).toBe(provided.photoURL);
});

test('fills in a missing name with the first part of the email address, or else User', () => {
  const unnamed = { ...provided, displayName: null };
  expect(userStateOf(unnamed, null).displayName).toBe('a');
  expect(userStateOf({ ...unnamed, email: null }, null).displayName).toBe('User');
});

test('keeps nothing of another user', () => {
  const other = { ...userStateOf({ ...provided, uid: 'u2', displayName: 'Someone else' }, null), super_admin: true };
  expect(userStateOf(provided, other)).toMatchObject({ id: 'u1', displayName: 'At the provider', super_admin: false });
});

test('reads the state of an earlier version, which has no uid', () => {
  const { uid: _, ...earlier } = userStateOf(provided, null);
  stored.set('fb_user', JSON.stringify(earlier));
  expect(readUserState()?.uid).toBe('u1');
  writeUserState(userStateOf(provided, null));
  expect(readUserState()?.uid).toBe('u1');
});

test('a stored user is not checked before the server’s record is loaded, on every visit', () => {
  writeUserState({ ...userStateOf(provided, null), super_admin: true, checkedForSuperAdmin: true });
  expect(readUserState()).toMatchObject({ id: 'u1', super_admin: true, checkedForSuperAdmin: false });
});

test('each tab keeps its organization, a new tab begins with the last one, and a sign-out leaves none', () => {
  const first = new Map<string, string>();
  openTab(first);
  rememberOrganization('o1');
  openTab(new Map());
  expect(readRememberedOrganization()).toBe('o1');
  rememberOrganization('o2');
  openTab(new Map());
  expect(readRememberedOrganization()).toBe('o2');
  openTab(first);
  expect(readRememberedOrganization()).toBe('o1');
  rememberOrganization(null);
  expect(readRememberedOrganization()).toBeNull();
});

test.each([
  ['user, whose record says so', false, record, false],
  ['staff, whose record says so', false, { ...record, role: 'super_admin' as const }, true],
  ['staff who are users now', true, record, false],
  ['user without a record', false, null, false],
  ['staff of the last visit without a record', true, null, true],
])('is checked for the role of a %s', (_who, wasStaff, loaded, isStaff) => {
  const known = { ...userStateOf(provided, null), super_admin: wasStaff };
  expect(checkedStateOf(loaded, provided, known)).toMatchObject({ super_admin: isStaff, checkedForSuperAdmin: true });
});

test('does not take the role of another user of the last visit', () => {
  const known = { ...userStateOf({ ...provided, uid: 'u2' }, null), super_admin: true };
  expect(checkedStateOf(null, provided, known)).toEqual({ super_admin: false, checkedForSuperAdmin: true });
});
