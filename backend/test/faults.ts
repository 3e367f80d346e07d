import type { Sandbox } from './connectors/sandbox-process.js';
import { eventually } from './factories.js';

interface ActiveFault {
  id: string;
  fault: string;
  provider: string;
  struckCount: number;
}

async function faultsOf({ url }: Pick<Sandbox, 'url'>, fault: string): Promise<ActiveFault[]> {
  const { faults } = (await (await fetch(`${url}/admin/faults`)).json()) as { faults: ActiveFault[] };
  return faults.filter((one) => one.fault === fault);
}

/** How often a fault of this name was triggered since it was posted. */
export async function triggerCountOf(sandbox: Pick<Sandbox, 'url'>, fault: string): Promise<number> {
  return (await faultsOf(sandbox, fault)).reduce((sum, { struckCount }) => sum + struckCount, 0);
}

/** Clears the faults of this name and keeps the others. */
export async function clearFault(sandbox: Pick<Sandbox, 'url'>, fault: string): Promise<void> {
  for (const { id } of await faultsOf(sandbox, fault)) await fetch(`${sandbox.url}/admin/faults/${id}`, { method: 'DELETE' });
}

export const untilTriggered = (sandbox: Pick<Sandbox, 'url'>, fault: string): Promise<number> =>
  eventually(() => triggerCountOf(sandbox, fault), (count) => count > 0); // prettier-ignore

/** Number of token requests to a platform since the sandbox started. */
export async function tokenCalls({ url }: Pick<Sandbox, 'url'>, provider: string): Promise<number> {
  const answer = await fetch(`${url}/admin/requests?provider=${provider}&limit=2000`);
  const { requests } = (await answer.json()) as { requests: { path?: string }[] };
  return requests.filter(({ path }) => path?.endsWith('/token') || path?.endsWith('/access_token')).length;
}
