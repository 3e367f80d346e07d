import { page } from '../page.ts';
import { escapeHtml } from '../router.ts';
import { users } from './accounts.ts';

const mark = '<span class="mark">Sandbox: this is not Microsoft</span>';

const scopeWords: Record<string, string> = {
  'https://ads.microsoft.com/msads.manage': 'Manage your Microsoft Advertising accounts',
  offline_access: 'Maintain access to data you have given it access to',
};

/**
 * The page on which a user selects an account and accepts or declines. Microsoft does not allow deselecting single permissions.
 */
export function consentPage(parameters: URLSearchParams, scopes: string[]): string {
  const client = escapeHtml(parameters.get('client_id') ?? '');
  const returnHost = escapeHtml(new URL(parameters.get('redirect_uri') ?? '').host);
  const hint = parameters.get('login_hint') ?? '';
  const chosen = users.has(hint) ? hint : [...users.keys()][0];
  const people = [...users.values()].map(({ email, description }) => person(email, description, email === chosen));
  const permissions = scopes.map((scope) => `<li>${escapeHtml(scopeWords[scope] ?? scope)}</li>`);
  return page(
    'Sign in – sandbox',
    `<main class="card">${mark}<h1>Let this app access your info?</h1>
<p>The app <strong>${client}</strong> asks. Whatever you decide, you go back to <strong>${returnHost}</strong>. No real account is involved.</p>
<form method="post"><fieldset><legend>Account</legend>${people.join('')}</fieldset>
<h2>It will be able to</h2><ul>${permissions.join('')}</ul>
<div class="buttons"><button class="primary" name="decision" value="allow">Accept</button><button name="decision" value="deny">Cancel</button></div></form></main>`,
  );
}

function person(email: string, description: string, isChecked: boolean): string {
  return `<label class="choice"><input type="radio" name="user" value="${escapeHtml(email)}"${isChecked ? ' checked' : ''}>
<span>${escapeHtml(email)}<small>${escapeHtml(description)}</small></span></label>`;
}

export function errorPage(problem: string): string {
  return page(
    'Error – sandbox',
    `<main class="card">${mark}<h1>We're unable to complete your request</h1><p>${escapeHtml(problem)}</p></main>`,
  );
}
