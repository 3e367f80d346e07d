import { InvalidFault, type Fault } from '../faults.ts';
import { htmlTable, readJsonObject, refusing } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { ANY_ORIGIN, sendJson } from '../router.ts';
import { mixpanelFaults } from './faults.ts';
import { projects, serviceAccounts } from './projects.ts';
import { putEvents } from './put-events.ts';
import { mixpanelRoutes } from './routes.ts';
import { MixpanelState } from './state.ts';
import { sendTotals } from './totals.ts';

export const mixpanel: Provider = {
  name: 'mixpanel',
  title: 'Mixpanel',
  faults: mixpanelFaults,
  open(parts) {
    const state = new MixpanelState(parts);
    return {
      routes: [
        ...mixpanelRoutes(state),
        {
          method: 'GET',
          path: /^\/admin\/mixpanel\/totals$/,
          answer: refusing((exchange) => sendTotals(state, exchange)),
        },
        {
          method: 'GET',
          path: /^\/admin\/mixpanel\/service-account$/,
          // The product's web app offers this account in a demo.
          answer: refusing(({ response }) => sendJson(response, 200, adminAccount(), ANY_ORIGIN)),
        },
        { method: 'POST', path: /^\/admin\/mixpanel\/events$/, answer: refusing((exchange) => putEvents(state, exchange)) },
        {
          method: 'POST',
          path: /^\/admin\/mixpanel\/limits$/,
          answer: refusing(({ response, body }) => {
            state.limits.set(readJsonObject(body));
            sendJson(response, 200, state.limits.values);
          }),
        },
      ],
      description,
      apply: (fault) => {
        if (fault.fault === 'compact') state.events.compact(projectOf(fault));
        if (fault.fault === 'merge_identities')
          state.events.merge(projectOf(fault), String(fault.parameters.from), String(fault.parameters.into));
      },
    };
  },
};

/** The first project, with a service account that administrates it. */
function adminAccount(): Record<string, string> {
  const [project] = projects.values();
  const account = [...serviceAccounts.values()].find(({ roles }) => project && roles[project.id] === 'admin');
  if (!project || !account) throw new InvalidFault('No project has an administrator', { known: [...projects.keys()] });
  return {
    projectId: project.id,
    residency: project.residency.toUpperCase(),
    username: account.username,
    secret: account.secret,
  };
}

const description = `<p><code>/mixpanel/us|eu|in/import</code> · <code>/mixpanel/us|eu|in/export</code> · <code>/mixpanel/us|eu|in/api/…</code></p>
${htmlTable(
  'Projects',
  [...projects.values()].map(({ id, name, residency, timeZone }) => [id, name, `${residency.toUpperCase()}, ${timeZone}`]),
)}
${htmlTable(
  'Service accounts',
  [...serviceAccounts.values()].map(({ username, secret, description: what }) => [username, secret, what]),
)}`;

function projectOf(fault: Fault): string {
  const projectId = String(fault.parameters.projectId);
  if (!projects.has(projectId)) throw new InvalidFault(`Unknown projectId ${projectId}`, { known: [...projects.keys()] });
  return projectId;
}
