import { googleAdsFaults } from './google-ads/faults.ts';
import { accounts, users } from './google-ads/accounts.ts';
import { page } from './page.ts';
import { postgresqlFaults } from './postgresql/faults.ts';
import { escapeHtml } from './router.ts';

export function indexPage(): string {
  const faults = { 'google-ads': googleAdsFaults, postgresql: postgresqlFaults };
  return page(
    'Sandbox',
    `<main class="card wide"><span class="mark">Sandbox</span><h1>Providers that are not there</h1>
<p>A server that answers as the providers' published interfaces do, with invented accounts and numbers that are the same on every machine.</p>
<h2>Google Ads</h2><p><code>/google-ads/v25/…</code> · <code>/google-ads/oauth/auth</code> · <code>/google-ads/oauth/token</code> · <code>/google-ads/oauth/revoke</code></p>
${table(
  'Users',
  [...users.values()].map((user) => [user.email, user.description]),
)}
${table(
  'Accounts',
  [...accounts.values()].map((account) => [account.id, account.descriptiveName, `${account.currencyCode}, ${account.timeZone}`]),
)}
<h2>Administration</h2><p><a href="/admin/requests?limit=50">What was asked last</a> · <a href="/admin/faults">Faults in force</a> · <a href="/admin/clock">Clock</a></p>
${Object.entries(faults)
  .map(([provider, known]) =>
    table(
      `POST /admin/faults, provider ${provider}`,
      Object.entries(known).map(([name, fault]) => [name, fault.what]),
    ),
  )
  .join('')}</main>`,
  );
}

function table(heading: string, rows: string[][]): string {
  const cells = (texts: string[]): string => texts.map((text) => `<td>${escapeHtml(text)}</td>`).join('');
  return `<h2>${escapeHtml(heading)}</h2><table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>`;
}
