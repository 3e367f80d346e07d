import { fraction, mix } from '../noise.ts';
import type { Json, StoredEvent } from './event.ts';

const dayMs = 86_400_000;
const seededDays = 45;
const purchasesADay = 5;
const latestDays = 6;

/**
 * Purchases of a web shop on the 45 days before a moment, the same in every sandbox on one day. They contain what makes an export
 * difficult: late arrivals, copies, anonymous users, missing consent, several currencies, and separators inside of texts.
 */
export function seededPurchases(projectId: string, now: number): StoredEvent[] {
  const today = Math.floor(now / dayMs);
  const numbers = Array.from({ length: seededDays * purchasesADay }, (_, number) => number);
  return numbers.flatMap((number) => {
    const day = today - seededDays + Math.floor(number / purchasesADay);
    return purchase(Number(projectId), number, day * dayMs);
  });
}

function purchase(project: number, number: number, day: number): StoredEvent[] {
  const roll = (salt: number, count: number): number => Math.floor(fraction(mix(mix(project, salt), number)) * count);
  const time = day + roll(1, dayMs / 1_000) * 1_000;
  const isLate = number % 9 === 8;
  const processedAt = time + (isLate ? (1 + roll(2, latestDays)) * dayMs : 2_000);
  const isAnonymous = number % 5 === 4;
  const buyer = roll(3, 60);
  const event: StoredEvent = {
    event: number % 12 === 11 ? 'Order Refunded' : 'Purchase',
    time,
    distinctId: isAnonymous ? `$device:${project}-${number}` : `user-${buyer}`,
    insertId: `purchase-${project}-${number}`,
    properties: propertiesOf(number, buyer, roll),
    ...{ processedAt, visibleAt: processedAt },
  };
  const copies = [event];
  if (number % 13 === 12) copies.push({ ...event, processedAt: processedAt + 60_000, visibleAt: processedAt + 60_000 });
  // The same order with another time, which only compaction removes.
  if (number % 17 === 16) copies.push({ ...event, time: time - (time % dayMs), processedAt: processedAt + 90_000 });
  return copies;
}

function propertiesOf(number: number, buyer: number, roll: (salt: number, count: number) => number): Record<string, Json> {
  const consent = ['granted', 'granted', 'granted', 'denied'][roll(4, 4)] ?? 'granted';
  const clicks: Record<string, Json>[] = [
    { gclid: `Cj0KCQ-${number}` },
    { fbc: `fb.1.1700000000000.${number}`, fbp: `fb.1.1690000000000.${number}` },
    { msclkid: `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000` },
    {},
  ];
  return {
    order_id: `ord-${10_000 + number}`,
    amount: (roll(5, 30_000) + 100) / 100,
    currency: ['EUR', 'USD', 'GBP'][roll(6, 3)] ?? 'EUR',
    quantity: 1 + roll(7, 4),
    email: ` Buyer.${buyer}@Shop.example `,
    ...(number % 3 === 0 && { phone: `+49 30 ${1_000_000 + buyer}` }),
    ...(number % 7 !== 6 && { consent_ad_user_data: consent, consent_ad_personalization: consent }),
    ...clicks[roll(8, clicks.length)],
    ...(number % 10 === 9 && { note: 'first\u2028second\u2029third\u0085fourth' }),
  };
}
