import { toDate } from '../clock.ts';
import { sendJson, type Exchange } from '../router.ts';
import { authenticate, reachProject, requireResidency } from './access.ts';
import { DecimalSum } from '../decimal.ts';
import { MixpanelError } from './errors.ts';
import { deduplicate, type StoredEvent } from './event.ts';
import { parseExpression, isMatch } from './expression.ts';
import { readSelection } from './export.ts';
import { projects, type Project, type Residency } from './projects.ts';
import { reportDayOf } from './project-time.ts';
import type { MixpanelState } from './state.ts';

/** GET /api/app/me: the projects of a service account. It belongs to the organization and is the same in every region. */
export function describeAccount(state: MixpanelState, { request, response }: Exchange): void {
  const account = authenticate(request, state.faults);
  const reached = [...projects.values()].flatMap((project) => {
    const role = account.roles[project.id];
    return role ? [[project.id, describeProject(project, role)] as const] : [];
  });
  sendJson(response, 200, {
    status: 'ok',
    results: {
      user_email: account.username,
      user_name: account.username,
      organizations: { '7700001': { id: 7_700_001, name: 'Northwind' } },
      projects: Object.fromEntries(reached),
      workspaces: {},
    },
  });
}

function describeProject({ name, timeZone }: Project, role: 'admin' | 'analyst'): Record<string, unknown> {
  return { name, organization_id: 7_700_001, timezone: timeZone, role: { name: role }, permissions: ['view_base_reports'] };
}

/** GET /api/query/events/names: the names of the last 31 days. */
export function listEventNames(state: MixpanelState, exchange: Exchange, residency: Residency): void {
  const events = openQuery(state, exchange, residency, (project) => {
    const since = state.now() - 31 * 86_400_000;
    return deduplicate(state.events.visible(project.id, state.now())).filter(({ time }) => time >= since);
  });
  sendJson(exchange.response, 200, [...new Set(events.map(({ event }) => event))].sort().reverse());
}

/** GET /api/query/segmentation/sum: days of the project's zone, deduplicated. */
export function sumByDay(state: MixpanelState, exchange: Exchange, residency: Residency): void {
  const { searchParams } = exchange.url;
  const name = searchParams.get('event');
  const on = searchParams.get('on');
  if (!name || !on) throw new MixpanelError(400, 'event and on are required');
  const { from, to, where } = readSelection(withoutEvent(exchange.url));
  const value = parseExpression(on);
  const filter = where ? parseExpression(where) : null;
  const sums = new Map(Array.from({ length: to - from + 1 }, (_, index) => [from + index, new DecimalSum()]));
  openQuery(state, exchange, residency, (project) => {
    const events = deduplicate(state.events.visible(project.id, state.now()));
    for (const event of events.filter((candidate) => candidate.event === name)) {
      if (filter && !isMatch(filter, event.properties)) continue;
      const amount = value(event.properties);
      if (typeof amount === 'number') sums.get(reportDayOf(event, project))?.add(amount);
    }
    return events;
  });
  const results = Object.fromEntries([...sums].map(([day, sum]) => [toDate(day), Number(sum.toString())]));
  sendJson(exchange.response, 200, { status: 'ok', computed_at: new Date(state.now()).toISOString(), results });
}

function openQuery(
  state: MixpanelState,
  { request, url }: Exchange,
  residency: Residency,
  query: (project: Project) => StoredEvent[],
): StoredEvent[] {
  const project = reachProject(authenticate(request, state.faults), url.searchParams.get('project_id'), ['admin', 'analyst']);
  if (project.plan === 'free')
    throw new MixpanelError(402, 'Your plan does not allow API calls. Upgrade at mixpanel.com/pricing');
  requireResidency(project, residency);
  const end = state.limits.countQuery(project.id);
  try {
    return query(project);
  } finally {
    end();
  }
}

function withoutEvent(url: URL): URL {
  const copy = new URL(url);
  copy.searchParams.delete('event');
  return copy;
}
