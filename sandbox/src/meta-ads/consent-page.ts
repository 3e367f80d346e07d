import { page } from '../page.ts';
import { escapeHtml } from '../router.ts';
import { users } from './accounts.ts';

const mark = '<span class="mark">Sandbox: this is not Facebook</span>';

const scopeWords: Record<string, [string, string]> = {
  ads_read: ['Ads', 'Read the ad accounts you have access to and their reports'],
  ads_management: ['Manage ads', 'Create and change ads and send conversions'],
  business_management: ['Businesses', 'See and manage your businesses'],
  email: ['Email address', 'See the address of your account'],
};

/** The dialog in which a user selects an account and accepts or declines. The form is posted to the same address. */
export function consentPage(parameters: URLSearchParams, askedScopes: string[]): string {
  const client = escapeHtml(parameters.get('client_id') ?? '');
  const returnHost = escapeHtml(new URL(parameters.get('redirect_uri') ?? '').host);
  const people = [...users.values()].map((user, index) =>
    choice('radio', 'user', user.email, user.email, user.description, index === 0),
  );
  const scopes = askedScopes.map((scope) => {
    const [title, words] = scopeWords[scope] ?? [scope, 'An unknown permission'];
    return choice('checkbox', 'scope', scope, title, words, true);
  });
  return page(
    'Log in – sandbox',
    `<main class="card">${mark}<h1>Continue with Facebook</h1>
<p>The app <strong>${client}</strong> asks. Whatever you decide, you go back to <strong>${returnHost}</strong>. No real account is involved.</p>
<form method="post"><fieldset><legend>Account</legend>${people.join('')}</fieldset>
<fieldset><legend>What it may do</legend><p>Your name and picture, and:</p>${scopes.join('')}</fieldset>
<div class="buttons"><button class="primary" name="decision" value="allow">Continue</button><button name="decision" value="deny">Cancel</button></div></form></main>`,
  );
}

function choice(
  type: 'radio' | 'checkbox',
  name: string,
  value: string,
  title: string,
  words: string,
  isChecked: boolean,
): string {
  return `<label class="choice"><input type="${type}" name="${name}" value="${escapeHtml(value)}"${isChecked ? ' checked' : ''}>
<span>${escapeHtml(title)}<small>${escapeHtml(words)}</small></span></label>`;
}

export function errorPage(problem: string): string {
  return page(
    'Error – sandbox',
    `<main class="card">${mark}<h1>Sorry, something went wrong</h1><p>${escapeHtml(problem)}</p></main>`,
  );
}
