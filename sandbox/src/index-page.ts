import { page } from './page.ts';
import { htmlTable } from './parameters.ts';
import { escapeHtml } from './router.ts';
import type { Sandbox } from './sandbox.ts';

export function indexPage({ providers }: Sandbox): string {
  return page(
    'Sandbox',
    `<main class="card wide"><span class="mark">Sandbox</span><h1>Simulated providers</h1>
<p>A server that answers as the providers' published interfaces do, with invented accounts and numbers that are the same on every machine.</p>
<h2>Administration</h2><p><a href="/admin/requests?limit=50">Last requests</a> · <a href="/admin/faults">Active faults</a> · <a href="/admin/clock">Clock</a></p>
${providers.map(({ provider, description }) => `<h2>${escapeHtml(provider.title)}</h2>${description}${faultTable(provider)}`).join('')}</main>`,
  );
}

function faultTable({ name, faults }: Sandbox['providers'][number]['provider']): string {
  return htmlTable(
    `POST /admin/faults, provider ${name}`,
    Object.entries(faults).map(([fault, { what }]) => [fault, what]),
  );
}
