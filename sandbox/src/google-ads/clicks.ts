import { createHash } from 'node:crypto';
import { fraction, mix } from '../noise.ts';
import { accounts, type Account } from './accounts.ts';
import { isEqual, sign } from './tokens.ts';

export const clickKinds = ['gclid', 'gbraid', 'wbraid'] as const;
export type ClickKind = (typeof clickKinds)[number];

/** A click on an ad that the sandbox knows. Its id contains the account and the time, so that nothing has to be stored. */
export interface Click {
  kind: ClickKind;
  id: string;
  customerId: string;
  /** Milliseconds. */
  clickedAt: number;
  /** The person who clicked; none for clicks that were requested for a certain time. */
  email?: string;
  phone?: string;
}

const dayMs = 86_400_000;
export const maximumClickDays = 90;
/** Clicks of each kind in an account per UTC day. The n-th gclid of a day always belongs to the n-th shopper. */
const clicksPerDay: Record<ClickKind, number> = { gclid: 20, gbraid: 4, wbraid: 4 };
const prefixes: Record<ClickKind, string> = { gclid: 'Cj0KCQ', gbraid: '0AAAAA', wbraid: 'Cl4KCQ' };
const signatureLength = 12;

const shoppers = Array.from({ length: clicksPerDay.gclid }, (_, index) => ({
  email: `shopper${index + 1}@example.com`,
  phone: `+1202555${String(100 + index).padStart(4, '0')}`,
}));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const shoppersByHash = new Map(shoppers.flatMap(({ email, phone }, index) => [email, phone].map((one) => [sha256(one), index])));

export function clicksOf(account: Account, kind: ClickKind, dayNumber: number): Click[] {
  if (account.isManager) return [];
  return Array.from({ length: clicksPerDay[kind] }, (_, index) => nthClick(account, kind, dayNumber, index));
}

function nthClick(account: Account, kind: ClickKind, dayNumber: number, index: number): Click {
  const hash = mix(mix(account.seed, dayNumber), index + 1 + 1_000 * clickKinds.indexOf(kind));
  const clickedAt = dayNumber * dayMs + Math.floor(fraction(hash) * 86_400) * 1_000;
  return { ...clickAt(account.id, kind, clickedAt, index + 1), ...(kind === 'gclid' && shoppers[index]) };
}

/** A click at any time, for tests of the limits of time. */
export function clickAt(customerId: string, kind: ClickKind, clickedAt: number, number = 0): Click {
  const seconds = Math.floor(clickedAt / 1_000);
  const content = Buffer.from(`${customerId}.${seconds}.${number}`).toString('base64url');
  const id = `${prefixes[kind]}${content}${signatureOf(kind, content)}`;
  return { kind, id, customerId, clickedAt: seconds * 1_000 };
}

function signatureOf(kind: ClickKind, content: string): string {
  return sign(`${kind} ${content}`).slice(0, signatureLength);
}

/** 'invalid': cannot be decoded. 'unknown': has the form of a click id, and no such click happened. */
export function readClick(kind: ClickKind, id: string): Click | 'invalid' | 'unknown' {
  if (!/^[\w-]{20,}$/.test(id)) return 'invalid';
  const content = id.slice(prefixes[kind].length, -signatureLength);
  const isKnown = id.startsWith(prefixes[kind]) && isEqual(id.slice(-signatureLength), signatureOf(kind, content));
  if (!isKnown) return 'unknown';
  const [customerId = '', seconds = '', number = ''] = Buffer.from(content, 'base64url').toString('utf8').split('.');
  return clickAt(customerId, kind, Number(seconds) * 1_000, Number(number));
}

/** The last click of a person before a time, in one of the accounts. `hashes` are SHA-256 in hexadecimal. */
export function lastClickOf(hashes: string[], customerIds: string[], before: number): Click | undefined {
  const index = hashes.map((hash) => shoppersByHash.get(hash)).find((one) => one !== undefined);
  if (index === undefined) return undefined;
  const today = Math.floor(before / dayMs);
  const clicks = customerIds.flatMap((id) => {
    const account = accounts.get(id);
    if (!account || account.isManager) return [];
    return [today, today - 1].map((day) => nthClick(account, 'gclid', day, index));
  });
  return clicks.filter(({ clickedAt }) => clickedAt <= before).sort((left, right) => right.clickedAt - left.clickedAt)[0];
}
