import { page } from '../page.ts';
import { escapeHtml } from '../router.ts';
import { users } from './accounts.ts';

const mark = '<span class="mark">Sandbox: this is not Google</span>';

const scopeWords: Record<string, [string, string]> = {
  'https://www.googleapis.com/auth/adwords': ['Google Ads', 'See, edit, create and delete your Google Ads accounts and data'],
  'https://www.googleapis.com/auth/datamanager': ['Data Manager', 'Send conversions and audience members to Google'],
  'https://www.googleapis.com/auth/bigquery': ['BigQuery', 'View and manage your data in Google BigQuery'],
};

/** The page on which a user selects an account and accepts or declines. The form is posted to the same address. */
export function consentPage(parameters: URLSearchParams, optionalScopes: string[]): string {
  const client = escapeHtml(parameters.get('client_id') ?? '');
  const returnHost = escapeHtml(new URL(parameters.get('redirect_uri') ?? '').host);
  const chosen = users.has(parameters.get('login_hint') ?? '') ? parameters.get('login_hint') : [...users.keys()][0];
  const people = [...users.values()].map((user) =>
    choice('radio', 'user', user.email, user.email, user.description, user.email === chosen),
  );
  const scopes = optionalScopes.map((scope) => {
    const [title, words] = scopeWords[scope] ?? [scope, 'An unknown scope'];
    return choice('checkbox', 'scope', scope, title, words, true);
  });
  return page(
    'Sign in – sandbox',
    `<main class="card">${mark}<h1>An app wants to access your Google account</h1>
<p>The app <strong>${client}</strong> asks. Whatever you decide, you go back to <strong>${returnHost}</strong>. No real account is involved.</p>
<form method="post"><fieldset><legend>Account</legend>${people.join('')}</fieldset>
${scopes.length > 0 ? `<fieldset><legend>What it may do</legend>${scopes.join('')}</fieldset>` : ''}
<div class="buttons"><button class="primary" name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div></form></main>`,
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
    'Error 400 – sandbox',
    `<main class="card">${mark}<h1>Access blocked: authorization error</h1><p>Error 400: invalid_request</p><p>${escapeHtml(problem)}</p></main>`,
  );
}
