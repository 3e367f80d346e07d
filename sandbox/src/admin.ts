import { InvalidFault, type Fault } from './faults.ts';
import { readJsonObject, refusing } from './parameters.ts';
import { ANY_ORIGIN, sendJson, type Exchange, type Route } from './router.ts';
import type { Sandbox } from './sandbox.ts';

/** No authentication: the sandbox is for tests only. */
export function adminRoutes(sandbox: Sandbox): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/admin\/faults$/,
      answer: ({ response }) => sendJson(response, 200, { faults: sandbox.faults.list(), known: sandbox.faults.known }),
    },
    { method: 'POST', path: /^\/admin\/faults$/, answer: refusing((exchange) => addFault(sandbox, exchange)) },
    {
      // For pages of other origins, which need a permission to send DELETE.
      method: 'POST',
      path: /^\/admin\/faults\/(?<id>[^/]+)\/clear$/,
      answer: refusing((exchange) => removeFaults(sandbox, exchange)),
    },
    {
      method: 'DELETE',
      path: /^\/admin\/faults(?:\/(?<id>[^/]+))?$/,
      answer: refusing((exchange) => removeFaults(sandbox, exchange)),
    },
    { method: 'GET', path: /^\/admin\/requests$/, answer: refusing((exchange) => sendRequests(sandbox, exchange)) },
    { method: 'GET', path: /^\/admin\/clock$/, answer: ({ response }) => sendJson(response, 200, clockOf(sandbox)) },
    { method: 'POST', path: /^\/admin\/clock$/, answer: refusing((exchange) => moveClock(sandbox, exchange)) },
  ];
}

/** Reverts the effects of faults outside of the sandbox. */
export async function clearFaults(sandbox: Sandbox, id?: string): Promise<Fault[]> {
  const removed = sandbox.faults.remove(id);
  for (const { provider, clear } of sandbox.providers) {
    const own = removed.filter((fault) => fault.provider === provider.name);
    if (own.length > 0) await clear?.(own);
  }
  return removed;
}

async function addFault(sandbox: Sandbox, { response, body }: Exchange): Promise<void> {
  const { endsAfterSeconds, ...description } = readJsonObject(body);
  if (endsAfterSeconds !== undefined && !(typeof endsAfterSeconds === 'number' && endsAfterSeconds > 0))
    throw new InvalidFault('endsAfterSeconds must be a positive number');
  const fault = sandbox.faults.parse(description);
  await sandbox.providers.find(({ provider }) => provider.name === fault.provider)?.apply?.(fault);
  const isKept = !sandbox.faults.known[fault.provider]?.[fault.fault]?.isEvent;
  if (isKept) sandbox.faults.add(fault);
  if (endsAfterSeconds !== undefined) endLater(sandbox, fault.id, endsAfterSeconds);
  sendJson(response, 201, { id: fault.id, isKept }, ANY_ORIGIN);
}

/** For a caller that could be gone before it clears the fault. */
function endLater(sandbox: Sandbox, faultId: string, seconds: number): void {
  const clear = () => void clearFaults(sandbox, faultId).catch((error: unknown) => console.error(error));
  setTimeout(clear, seconds * 1_000).unref();
}

async function removeFaults(sandbox: Sandbox, { response, params }: Exchange): Promise<void> {
  const removed = await clearFaults(sandbox, params.id);
  if (params.id && removed.length === 0) return sendJson(response, 404, { error: `No fault ${params.id}` }, ANY_ORIGIN);
  sendJson(response, 200, { removed: removed.map((fault) => fault.id) }, ANY_ORIGIN);
}

function sendRequests(sandbox: Sandbox, { response, url }: Exchange): void {
  const limit = Number(url.searchParams.get('limit') ?? 200);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidFault('limit must be a whole number of at least 1');
  sendJson(response, 200, { requests: sandbox.requestLog.list(url.searchParams.get('provider'), limit) });
}

function moveClock(sandbox: Sandbox, { response, body }: Exchange): void {
  const { offsetDays } = readJsonObject(body);
  if (typeof offsetDays !== 'number' || !Number.isInteger(offsetDays))
    throw new InvalidFault('offsetDays must be a whole number');
  sandbox.clock.offsetDays = offsetDays;
  sendJson(response, 200, clockOf(sandbox));
}

function clockOf(sandbox: Sandbox): Record<string, unknown> {
  return { offsetDays: sandbox.clock.offsetDays, now: sandbox.clock.now().toISOString() };
}
