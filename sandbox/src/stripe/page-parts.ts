import type { ServerResponse } from 'node:http';
import { escapeHtml } from '../router.ts';
import { cards, type Card } from './cards.ts';
import type { Price } from './objects.ts';

export const mark = '<span class="mark">Sandbox: this is not Stripe, nothing is charged</span>';

export const pageStyles = `
dl{margin:16px 0 0;border-bottom:1px solid var(--line)}dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-top:1px solid var(--line)}
dt{color:var(--ink-2)}dd{margin:0;font-weight:600;text-align:right;font-variant-numeric:tabular-nums}
label.field{display:block;margin-top:16px;font-weight:600}label.field input{display:block;width:100%;min-height:44px;margin-top:4px;padding:0 12px;border:1px solid var(--control);border-radius:6px;background:var(--canvas);color:var(--ink);font:16px/20px system-ui,sans-serif}
.problem{margin-top:16px;padding:10px 12px;border-radius:6px;background:var(--warn-soft);color:var(--warn);font-weight:600}
.buttons{flex-wrap:wrap;align-items:center}a.back{display:inline-flex;align-items:center;min-height:44px}form.row{margin-top:12px}section{margin-top:24px}
@media(max-width:420px){.buttons{flex-direction:column-reverse;align-items:stretch}a.back{justify-content:center}}`;

const cardWords: Record<Card, [string, string]> = {
  works: ['Card that works', 'every payment goes through'],
  declined: ['Card that is declined', 'rejected'],
  later: ['Card that fails later', 'accepted for a trial, rejected when charged'],
};

/** The field for a card number: test cards from Stripe's documentation instead of an input. */
export function cardChoices(offered: Card[], chosen: Card, ownWords: Partial<typeof cardWords> = {}): string {
  const choices = offered.map((card) => {
    const [title, words] = ownWords[card] ?? cardWords[card];
    return `<label class="choice"><input type="radio" name="card" value="${card}"${card === chosen ? ' checked' : ''}>
<span>${title}<small>Visa ending in ${cards[card].last4}: ${words}</small></span></label>`;
  });
  return `<fieldset><legend>Card</legend>${choices.join('')}</fieldset>`;
}

/** A form without a selection uses the card that works, which the page preselects. */
export function readCard(form: URLSearchParams): Card {
  const value = form.get('card') ?? 'works';
  return value === 'declined' || value === 'later' ? value : 'works';
}

export function money(amount: number, currency: string): string {
  return `${(amount / 100).toFixed(2)} ${escapeHtml(currency.toUpperCase())}`;
}

export function priceWords(price: Price, quantity: number): string {
  const { interval, interval_count: count } = price.recurring;
  return `${money(price.unit_amount * quantity, price.currency)} every ${count === 1 ? interval : `${count} ${interval}s`}`;
}

export function dateWords(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1_000);
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store' });
  response.end();
}
