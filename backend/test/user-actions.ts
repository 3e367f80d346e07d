import type { Sandbox } from './connectors/sandbox-process.js';
import { daysAgo } from './factories.js';

/** The manager account by which the demo user reaches the account. */
const MANAGER = '9001000001';

/** Random numbers that are repeatable by seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** The compared columns of Google's campaigns, with Google's names. */
const fields = {
  date: 'segments.date',
  campaign_id: 'campaign.id',
  campaign_name: 'campaign.name',
  campaign_status: 'campaign.status',
  device: 'segments.device',
  network: 'segments.adNetworkType',
  impressions: 'metrics.impressions',
  clicks: 'metrics.clicks',
  cost_micros: 'metrics.costMicros',
  conversions: 'metrics.conversions',
  conversions_value: 'metrics.conversionsValue',
  all_conversions: 'metrics.allConversions',
  view_through_conversions: 'metrics.viewThroughConversions',
} as const;

export const comparedColumns = Object.keys(fields) as (keyof typeof fields)[];
const numbers = new Set<string>(['conversions', 'conversions_value', 'all_conversions']);

/** A row as one text, equal for equal values from any source. */
export const textOf = (row: Record<string, unknown>): string => comparedColumns.map((name) => cellOf(name, row[name])).join('|');

function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return numbers.has(name) ? String(Number(value)) : String(value);
}

/** The platform's rows of an account, read without the product. Today is excluded, because it still changes. */
export async function rowsAtGoogle(sandbox: Sandbox, customerId: string, historyDays: number): Promise<string[]> {
  const { accessToken } = await sandbox.signIn('demo@example.com');
  const selected = Object.values(fields).map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const query = `SELECT ${selected.join(', ')} FROM campaign WHERE segments.date BETWEEN '${daysAgo(historyDays)}' AND '${daysAgo(1)}'`;
  const answer = await fetch(`${sandbox.url}/google-ads/v26/customers/${customerId}/googleAds:searchStream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', 'login-customer-id': MANAGER },
    body: JSON.stringify({ query }),
  });
  if (!answer.ok) throw new Error(`Google returned ${answer.status}: ${await answer.text()}`);
  const chunks = (await answer.json()) as { results?: Record<string, Record<string, unknown>>[] }[];
  const rows = chunks.flatMap(({ results = [] }) => results);
  return rows
    .map((row) =>
      textOf(
        Object.fromEntries(
          Object.entries(fields).map(([name, field]) => {
            const [resource = '', attribute = ''] = field.split('.');
            return [name, row[resource]?.[attribute] ?? (name.endsWith('s') || numbers.has(name) ? 0 : null)];
          }),
        ),
      ),
    )
    .sort();
}
