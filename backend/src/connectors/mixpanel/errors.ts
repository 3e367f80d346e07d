import type { Day, DayTotals } from '../kit/contract.js';
import { CorruptAnswer, FixSettings, NotVerifiedYet, ReconnectNeeded, RetryLater, type ConnectorError } from '../kit/errors.js';

type Consequence = 'retry' | 'wait' | 'credentials' | 'settings' | 'permission' | 'plan' | 'product';

interface ErrorMeaning {
  consequence: Consequence;
  message: string;
  action: string;
}

const itself = 'Nothing to do: it is tried again by itself';
const passing = (message: string): ErrorMeaning => ({ consequence: 'retry', message, action: itself });

/** Which of Mixpanel's interfaces answered: the same status asks for different patience. */
export type Endpoint = 'import' | 'export' | 'query' | 'app';

const endpointNames: Record<Endpoint, string> = {
  import: 'the import of these events',
  export: 'the raw export',
  query: 'the Query API',
  app: 'the interface that describes projects',
};

/**
 * The project's plan does not include the request: 402, never retried. The Query API is closed on the Free plan
 * and some others, import and raw export are open (docs/export-methods of mixpanel/docs, `ba22906`).
 */
export class PlanLimit extends FixSettings {}

/** Long enough for some of the hour's 60 exports to be free again; ten such waits are more than the whole hour. */
const QUOTA_WAIT_SECONDS = 600;
const STORM_WAIT_SECONDS = 60;

/** By HTTP status, unless the text says more. https://developer.mixpanel.com/reference/import-events and /rate-limits */
export const statusMeanings: Record<number, ErrorMeaning> = {
  400: {
    consequence: 'product',
    message: 'Mixpanel did not understand what was asked. This is a mistake of the product.',
    action: 'Tell the operator of this installation',
  },
  401: {
    consequence: 'credentials',
    message: 'Mixpanel does not accept the service account: its name or secret is wrong, or it has expired or been deleted.',
    action: 'Update the credentials',
  },
  402: {
    consequence: 'plan',
    message: 'The plan of this Mixpanel project does not include',
    action: 'Choose a plan of Mixpanel that includes it',
  },
  403: {
    consequence: 'permission',
    message: 'The service account may not do this in the project.',
    action: 'Make the service account an Owner or Admin of the project in Mixpanel',
  },
  404: {
    consequence: 'product',
    message: 'Mixpanel does not know the address that was asked; the base URL is wrong.',
    action: 'Tell the operator of this installation',
  },
  413: {
    consequence: 'product',
    message: 'Mixpanel found a single row too large.',
    action: 'Tell the operator of this installation',
  },
  429: { consequence: 'wait', message: 'Mixpanel asks for a pause.', action: itself },
  500: passing('Mixpanel had a fault of its own.'),
  502: passing('Mixpanel could not be reached through its gateway.'),
  503: passing('Mixpanel is not available for the moment.'),
  504: passing('Mixpanel took too long to answer.'),
};

/** Texts that say more than their status. */
export const textMeanings: Record<string, ErrorMeaning> = {
  'invalid project id for cluster': {
    consequence: 'settings',
    message: 'The project does not live in the chosen region. What is sent there is lost.',
    action: 'Choose the data residency that the project settings of Mixpanel show',
  },
};

const unknown = passing('Mixpanel answered with an error that is not known here.');

export interface Failure {
  endpoint: Endpoint;
  status: number;
  /** Mixpanel's own words; only looked up, never shown. */
  text: string;
}

export function toConnectorError({ endpoint, status, text }: Failure): ConnectorError {
  const known = Object.entries(textMeanings).find(([part]) => text.includes(part));
  const { consequence, message, action } = known?.[1] ?? statusMeanings[status] ?? unknown;
  const code = `mixpanel.${known ? known[0].replaceAll(' ', '_') : `http_${status}`}`;
  const detail = { code, message, action };
  if (consequence === 'plan')
    return new PlanLimit({ code: 'mixpanel.plan_limit', message: `${message} ${endpointNames[endpoint]}.`, action });
  if (consequence === 'credentials') return new ReconnectNeeded(detail);
  if (consequence === 'settings' || consequence === 'product') return new FixSettings(detail);
  if (consequence === 'permission') return new FixSettings({ ...detail, failureClass: 'permission' });
  if (consequence === 'retry') return new RetryLater(detail);
  if (endpoint === 'import') return new RetryLater({ ...detail, retryAfterSeconds: STORM_WAIT_SECONDS, failureClass: 'quota' });
  return new RetryLater({
    ...detail,
    code: 'mixpanel.query_quota',
    message: 'The queries that Mixpanel answers in an hour (60) are used up; what arrived is verified when it answers again.',
    retryAfterSeconds: QUOTA_WAIT_SECONDS,
    failureClass: 'quota',
  });
}

/** Mixpanel took the others; this one it will never take. */
export function refusedRows(row: string, field: string, message: string, count: number): FixSettings {
  const others = count > 1 ? ` and ${count - 1} more` : '';
  return new FixSettings({
    code: 'mixpanel.row_refused',
    message: `Mixpanel refused ${row}${others}: ${field}: ${shorten(message)}. The other rows were taken.`,
    action: 'Tell the operator of this installation',
    failureClass: 'destination',
  });
}

export function notAllTaken(expected: number, taken: number): RetryLater {
  return new RetryLater({
    code: 'mixpanel.not_all_taken',
    message: `Mixpanel says that it took ${taken} of ${expected} events, and not which.`,
    action: itself,
  });
}

export function cutExport(reason: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'mixpanel.export_incomplete',
    message: `Mixpanel did not give out everything that it holds: ${reason}.`,
    action: itself,
  });
}

export function lostEvents(rows: number): CorruptAnswer {
  return new CorruptAnswer({
    code: 'mixpanel.other_than_sent',
    message: `Mixpanel shows other numbers than it was sent for ${rows} rows. They are set right.`,
    action: itself,
  });
}

/** Mixpanel publishes no time in which an import shows: what is late is not wrong. */
export function notShownYet(rows: number, days: Day[], shown: DayTotals[]): NotVerifiedYet {
  return new NotVerifiedYet({
    code: 'mixpanel.not_shown_yet',
    message: `Mixpanel has taken ${rows} ${rows === 1 ? 'row' : 'rows'} and does not show them yet. Their days are not verified yet.`,
    action: 'Nothing to do: the next run verifies them',
    days,
    shown,
  });
}

/** One sentence of theirs, without the full stop that ours has. */
function shorten(text: string): string {
  return text.slice(0, 200).replace(/[.\s]+$/, '');
}
