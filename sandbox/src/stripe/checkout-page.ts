import { page } from '../page.ts';
import { escapeHtml, sendHtml, type Exchange, type Route } from '../router.ts';
import type { Card } from './cards.ts';
import { completeSession, priceOf } from './checkout.ts';
import { StripeError } from './errors.ts';
import type { CheckoutSession } from './objects.ts';
import { cardChoices, mark, pageStyles, priceWords, readCard, redirect } from './page-parts.ts';
import type { StripeState } from './state.ts';
import { passTime } from './time.ts';

export function checkoutRoutes(state: StripeState): Route[] {
  const path = /^\/stripe\/checkout\/(?<id>[^/]+)$/;
  return [
    { method: 'GET', path, answer: (exchange) => show(state, exchange) },
    { method: 'POST', path, answer: (exchange) => pay(state, exchange) },
  ];
}

function show(state: StripeState, { response, params }: Exchange): void {
  const session = findOpen(state, params.id);
  if (!session) return sendHtml(response, 410, overPage(state.sessions.get(params.id ?? '')));
  sendHtml(response, 200, checkoutPage(state, session, null));
}

function pay(state: StripeState, { response, params, body }: Exchange): void {
  const session = findOpen(state, params.id);
  if (!session) return sendHtml(response, 410, overPage(state.sessions.get(params.id ?? '')));
  const form = new URLSearchParams(body);
  const email = session.customer_details?.email ?? form.get('email') ?? '';
  try {
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new StripeError(400, 'invalid_request_error', 'Your email is incomplete.');
    completeSession(state, session, readCard(form), email);
    redirect(response, session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    sendHtml(response, error.status, checkoutPage(state, session, error.message));
  }
}

function findOpen(state: StripeState, id: string | undefined): CheckoutSession | null {
  passTime(state);
  const session = state.sessions.get(id ?? '');
  return session?.status === 'open' ? session : null;
}

function checkoutPage(state: StripeState, session: CheckoutSession, problem: string | null): string {
  const price = priceOf(state, session);
  const product = state.products.get(price.product);
  const order = state.orders.get(session.id);
  const words = priceWords(price, order?.quantity ?? 1);
  const days = order?.trialDays;
  const email = session.customer_details?.email;
  const chosen: Card = problem ? 'declined' : 'works';
  return page(
    'Checkout – sandbox',
    `<main class="card">${mark}<h1>Subscribe to ${escapeHtml(product?.name ?? price.id)}</h1>
<p>${escapeHtml(product?.description ?? '')}</p>
<dl>${days ? `<div><dt>${days} days free</dt><dd>0.00 ${escapeHtml(price.currency.toUpperCase())} today</dd></div><div><dt>Then</dt><dd>${words}</dd></div>` : `<div><dt>Due today, then every ${price.recurring.interval}</dt><dd>${words}</dd></div>`}</dl>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
<form method="post">${
      email
        ? `<p>Email: <strong>${escapeHtml(email)}</strong></p>`
        : '<label class="field">Email<input type="email" name="email" autocomplete="email" required></label>'
    }
${cardChoices(['works', 'declined', 'later'], chosen)}
<div class="buttons">${session.cancel_url ? `<a class="back" href="${escapeHtml(session.cancel_url)}">Cancel and go back</a>` : ''}<button class="primary">Pay and subscribe</button></div></form></main>`,
    pageStyles,
  );
}

function overPage(session: CheckoutSession | undefined): string {
  const [title, words] =
    session?.status === 'complete'
      ? ["You're all done here", 'This checkout has been paid. A session is paid once.']
      : ['This checkout has expired', 'The session has expired or does not exist. Start again from the app.'];
  const back = session?.cancel_url ? `<p><a href="${escapeHtml(session.cancel_url)}">Go back</a></p>` : '';
  return page('Checkout – sandbox', `<main class="card">${mark}<h1>${title}</h1><p>${words}</p>${back}</main>`);
}
