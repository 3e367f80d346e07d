import { page } from '../page.ts';
import { escapeHtml, sendHtml, type Exchange, type Route } from '../router.ts';
import { payNow } from './billing.ts';
import { attachCard, cardOf, type Card } from './cards.ts';
import { StripeError } from './errors.ts';
import { itemOf } from './invoices.ts';
import type { Customer, Invoice, PortalSession, Subscription } from './objects.ts';
import { cardChoices, dateWords, mark, money, pageStyles, priceWords, readCard, redirect } from './page-parts.ts';
import type { StripeState } from './state.ts';
import { setCancelAtPeriodEnd } from './subscriptions.ts';
import { passTime } from './time.ts';

/** Lifetime of an unused portal session. At Stripe every use extends it, here none does. */
const sessionSeconds = 3_600;

const statusWords: Record<Subscription['status'], string> = {
  trialing: 'Free trial',
  active: 'Active',
  past_due: 'Past due: the last payment failed',
  unpaid: 'Unpaid',
  canceled: 'Canceled',
  incomplete: 'Waiting for the first payment',
  incomplete_expired: 'Never paid',
  paused: 'Paused',
};

/** A portal rejects a declined card immediately. The accepted one is declined when charged. */
const portalWords = { later: ['Card that is declined', 'saved, and rejected when charged'] as [string, string] };

interface Portal {
  session: PortalSession;
  customer: Customer;
  subscription: Subscription | undefined;
  openInvoices: Invoice[];
}

export function portalRoutes(state: StripeState): Route[] {
  const path = /^\/stripe\/portal\/(?<id>[^/]+)$/;
  return [
    { method: 'GET', path, answer: (exchange) => answer(state, exchange, null) },
    { method: 'POST', path, answer: (exchange) => answer(state, exchange, new URLSearchParams(exchange.body)) },
  ];
}

function answer(state: StripeState, { response, params, url }: Exchange, form: URLSearchParams | null): void {
  passTime(state);
  const portal = findPortal(state, params.id ?? '');
  if (!portal) return sendHtml(response, 410, overPage());
  try {
    if (!form) return sendHtml(response, 200, portalPage(state, portal, url.searchParams.get('done'), null));
    redirect(response, `${url.pathname}?done=${encodeURIComponent(act(state, portal, form))}`);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    sendHtml(response, error.status, portalPage(state, portal, null, error.message));
  }
}

/** Executes the action of the button. Returns a confirmation text. */
function act(state: StripeState, { customer, subscription, openInvoices }: Portal, form: URLSearchParams): string {
  const at = state.now(customer.id);
  const decision = form.get('decision');
  if (decision === 'card') {
    const card: Card = readCard(form) === 'works' ? 'works' : 'later';
    const live = subscription?.ended_at === null ? subscription : undefined;
    attachCard(state, customer, card, at, live);
    return 'Card saved';
  }
  if (decision === 'pay') {
    const invoice = openInvoices.find(({ id }) => id === form.get('invoice'));
    if (!invoice) throw new StripeError(400, 'invalid_request_error', 'This invoice is not open.');
    payNow(state, invoice, at);
    return 'Invoice paid';
  }
  if ((decision === 'cancel' || decision === 'resume') && subscription?.ended_at === null) {
    setCancelAtPeriodEnd(state, subscription, decision === 'cancel', at, 'in the portal');
    return decision === 'cancel' ? 'Subscription canceled' : 'Subscription resumed';
  }
  throw new StripeError(400, 'invalid_request_error', 'There is no subscription for this.');
}

function findPortal(state: StripeState, id: string): Portal | null {
  const session = state.portalSessions.get(id);
  const customer = session && state.customers.get(session.customer);
  if (!customer || state.now(customer.id) - session.created > sessionSeconds) return null;
  const own = [...state.subscriptions.values()].filter((subscription) => subscription.customer === customer.id);
  const subscription = own.findLast(({ ended_at }) => ended_at === null) ?? own.at(-1);
  const openInvoices = [...state.invoices.values()].filter(
    (invoice) => invoice.customer === customer.id && invoice.status === 'open',
  );
  return { session, customer, subscription, openInvoices };
}

function portalPage(state: StripeState, portal: Portal, done: string | null, problem: string | null): string {
  const { session, customer, subscription, openInvoices } = portal;
  const card = cardOf(state, customer.id, subscription);
  const back = session.return_url ? `<a class="back" href="${escapeHtml(session.return_url)}">Back to Tributary</a>` : '';
  return page(
    'Billing – sandbox',
    `<main class="card">${mark}<h1>Billing</h1><p>${escapeHtml(customer.email ?? customer.id)}</p>
${done ? `<p role="status"><strong>${escapeHtml(done)}.</strong></p>` : ''}${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
<section><h2>Plan</h2>${subscription ? planPart(state, subscription) : '<p>No subscription.</p>'}</section>
${openInvoices.length > 0 ? `<section><h2>Open invoices</h2>${openInvoices.map(invoicePart).join('')}</section>` : ''}
<section><h2>Payment method</h2><p>${card ? `Visa ending in ${card.card.last4}` : 'No card'}</p>
<form method="post">${cardChoices(['works', 'later'], 'works', portalWords)}<div class="buttons"><button name="decision" value="card">Change card</button></div></form></section>
${back}</main>`,
    pageStyles,
  );
}

function planPart(state: StripeState, subscription: Subscription): string {
  const { price, quantity, current_period_end: end } = itemOf(subscription);
  const name = state.products.get(price.product)?.name ?? price.id;
  const { cancel_at: endsAt, ended_at: endedAt } = subscription;
  const next = endedAt !== null ? ['Ended on', endedAt] : endsAt !== null ? ['Ends on', endsAt] : ['Next payment on', end];
  const button =
    endsAt !== null
      ? '<button class="primary" name="decision" value="resume">Resume subscription</button>'
      : '<button name="decision" value="cancel">Cancel subscription</button>';
  return `<dl><div><dt>${escapeHtml(name)}</dt><dd>${priceWords(price, quantity)}</dd></div>
<div><dt>Status</dt><dd>${statusWords[subscription.status]}</dd></div><div><dt>${next[0]}</dt><dd>${dateWords(Number(next[1]))}</dd></div></dl>
${endedAt === null ? `<form method="post"><div class="buttons">${button}</div></form>` : ''}`;
}

function invoicePart(invoice: Invoice): string {
  return `<form method="post" class="row"><input type="hidden" name="invoice" value="${invoice.id}">
<p>${escapeHtml(invoice.number)}, ${dateWords(invoice.created)}: <strong>${money(invoice.amount_remaining, invoice.currency)}</strong></p>
<div class="buttons"><button class="primary" name="decision" value="pay">Pay invoice</button></div></form>`;
}

function overPage(): string {
  return page(
    'Billing – sandbox',
    `<main class="card">${mark}<h1>This page has expired</h1><p>The link was valid for an hour. Open billing again from the app.</p></main>`,
  );
}
