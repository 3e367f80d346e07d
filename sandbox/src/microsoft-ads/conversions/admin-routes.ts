import { randomUUID } from 'node:crypto';
import { InvalidFault, type Fault } from '../../faults.ts';
import { readJsonObject, refusing } from '../../parameters.ts';
import { sendJson, type Exchange, type Route } from '../../router.ts';
import { accounts, type Account } from '../accounts.ts';
import type { MicrosoftAdsState } from '../state.ts';
import { seededClicks, type Click } from './clicks.ts';
import { goalsForUpload } from './offline-conversions.ts';
import type { ReceivedRow, ReceivedRows } from './received-rows.ts';
import type { UetApi } from './uet-api.ts';
import { renewKey, uetTags, type UetTag } from './uet-tags.ts';
import { uploadGoal } from './upload-goals.ts';
import { minuteMs, normalizedClickId } from './values.ts';

const defaultLimit = 1_000;

export function conversionAdminRoutes(state: MicrosoftAdsState, received: ReceivedRows, uet: UetApi): Route[] {
  const now = (): number => state.clock.now().getTime();
  const route = (method: Route['method'], name: string, answer: (exchange: Exchange) => void): Route => ({
    method,
    path: new RegExp(`^/admin/microsoft-ads/${name}$`),
    answer: refusing(answer),
  });
  return [
    route('GET', 'received', (exchange) => sendReceived(received, exchange)),
    route('GET', 'clicks', ({ response, url }) => {
      const { id } = findAccount(url.searchParams.get('accountId'));
      const added = received.clicks.filter(({ accountId }) => accountId === id);
      sendJson(response, 200, { clicks: [...added, ...seededClicks(id, now())] });
    }),
    route('POST', 'clicks', ({ response, body }) => {
      const click = readClick(readJsonObject(body), now());
      received.add({ click });
      sendJson(response, 201, click);
    }),
    route('POST', 'goals', ({ response, body }) => {
      const { accountId, name, minutesAgo, ...overrides } = readJsonObject(body);
      const account = findAccount(accountId);
      if (typeof name !== 'string' || name === '') throw new InvalidFault('name must be a text');
      const createdAt = now() - readMinutes(minutesAgo, 0) * minuteMs;
      const goal = uploadGoal(account, goalsForUpload(received, account).length + 4, name, { ...overrides, createdAt });
      received.add({ accountId: account.id, goal });
      sendJson(response, 201, goal);
    }),
    route('POST', 'uet-events', ({ response, body }) => {
      const { tagId, ...event } = readJsonObject(body);
      sendJson(response, 201, uet.addBrowserEvent(findTag(tagId), event));
    }),
  ];
}

/** Of a fault: the key that the tag had is no longer valid. */
export function renewTagKey(received: ReceivedRows, fault: Fault): void {
  renewKey(received, findTag(fault.parameters.tagId).id);
}

function sendReceived(received: ReceivedRows, { response, url }: Exchange): void {
  const [accountId, tagId] = [url.searchParams.get('accountId'), url.searchParams.get('tagId')];
  const limit = Number(url.searchParams.get('limit') ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidFault('limit must be a whole number of at least 1');
  if (accountId !== null) findAccount(accountId);
  if (tagId !== null) findTag(tagId);
  const rows = received.rows.filter(
    (row) => (accountId === null || row.accountId === accountId) && (tagId === null || row.tagId === tagId),
  );
  sendJson(response, 200, { totals: totalsOf(rows), rows: rows.slice(-limit) });
}

function totalsOf(rows: ReceivedRow[]): Record<string, number> {
  const countOf = (isCounted: (row: ReceivedRow) => boolean): number => rows.filter(isCounted).length;
  return {
    received: rows.length,
    rejected: countOf(({ outcome }) => outcome === 'rejected'),
    lost: countOf(({ outcome }) => outcome === 'lost'),
    stored: countOf(({ outcome }) => outcome !== 'rejected' && outcome !== 'lost'),
    deduplicated: countOf(({ outcome }) => outcome === 'duplicate'),
    attributed: countOf(({ outcome }) => outcome === 'attributed'),
    unattributed: countOf(({ outcome }) => outcome === 'unattributed'),
    counted: countOf(({ isCounted }) => isCounted),
  };
}

function readClick(body: Record<string, unknown>, now: number): Click {
  const { accountId, clickId, minutesAgo, hashedEmailAddress, hashedPhoneNumber } = body;
  const id = normalizedClickId(typeof clickId === 'string' ? clickId : randomUUID());
  if (id === null) throw new InvalidFault('clickId must be a UUID');
  return {
    id,
    accountId: findAccount(accountId).id,
    clickedAt: now - readMinutes(minutesAgo, 60) * minuteMs,
    hashedEmailAddress: typeof hashedEmailAddress === 'string' ? hashedEmailAddress : null,
    hashedPhoneNumber: typeof hashedPhoneNumber === 'string' ? hashedPhoneNumber : null,
  };
}

function readMinutes(value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number') throw new InvalidFault('minutesAgo must be a number');
  return value;
}

function findAccount(id: unknown): Account {
  const account = typeof id === 'string' ? accounts.get(id) : undefined;
  if (!account) throw new InvalidFault(`Unknown accountId ${String(id)}`);
  return account;
}

function findTag(id: unknown): UetTag {
  const tag = typeof id === 'string' ? uetTags.get(id) : undefined;
  if (!tag) throw new InvalidFault(`Unknown tagId ${String(id)}`);
  return tag;
}
