import type { Day, DayTotals } from '../kit/contract.js';
import {
  CorruptAnswer,
  FixSettings,
  NotVerifiedYet,
  ReconnectNeeded,
  RetryLater,
  RowRejected,
  type ConnectorError,
} from '../kit/errors.js';
import { plural } from '../kit/plural.js';

type Consequence = 'retry' | 'wait' | 'credentials' | 'settings' | 'permission' | 'plan' | 'product';

interface ErrorMeaning {
  consequence: Consequence;
  message: string;
  action: string;
}

const itself = 'No action needed: Tributary retries automatically';
const passing = (message: string): ErrorMeaning => ({ consequence: 'retry', message, action: itself });

/** The Mixpanel API that answered. The wait time for a status depends on it. */
export type Endpoint = 'import' | 'export' | 'query' | 'app';

const endpointNames: Record<Endpoint, string> = {
  import: 'the import of these events',
  export: 'the raw export',
  query: 'the Query API',
  app: 'the project API',
};

/**
 * The project's plan does not include the request: 402, never retried. The Free plan and some others exclude the Query API; all
 * plans include import and raw export (docs/export-methods of mixpanel/docs, `ba22906`).
 */
export class PlanLimit extends FixSettings {}

/** By then some of the hour's 60 exports are free again. Ten such waits are longer than an hour. */
const QUOTA_WAIT_SECONDS = 600;
const STORM_WAIT_SECONDS = 60;

/** By HTTP status, unless the text is more specific. https://developer.mixpanel.com/reference/import-events and /rate-limits */
export const statusMeanings: Record<number, ErrorMeaning> = {
  400: {
    consequence: 'product',
    message: 'Mixpanel rejected a request. This is a bug in Tributary.',
    action: 'Contact the operator of this installation',
  },
  401: {
    consequence: 'credentials',
    message: 'Mixpanel rejected the service account. Its name or secret is wrong, or it was deleted or has expired.',
    action: 'Update the credentials',
  },
  402: {
    consequence: 'plan',
    message: 'The plan of this Mixpanel project does not include',
    action: 'Choose a Mixpanel plan that includes it',
  },
  403: {
    consequence: 'permission',
    message: 'The service account lacks a permission in the project.',
    action: 'Make the service account an Owner or Admin of the project in Mixpanel',
  },
  404: {
    consequence: 'product',
    message: 'Mixpanel did not find the requested address. The base URL is wrong.',
    action: 'Contact the operator of this installation',
  },
  413: {
    consequence: 'product',
    message: 'A row is too large for Mixpanel.',
    action: 'Contact the operator of this installation',
  },
  429: { consequence: 'wait', message: 'Mixpanel throttles requests.', action: itself },
  500: passing('Mixpanel had an internal error.'),
  502: passing('Mixpanel could not be reached through its gateway.'),
  503: passing('Mixpanel is temporarily unavailable.'),
  504: passing('Mixpanel took too long to answer.'),
};

/** Texts that are more specific than their status. */
export const textMeanings: Record<string, ErrorMeaning> = {
  'invalid project id for cluster': {
    consequence: 'settings',
    message: 'The project is in another region than the selected one, where Mixpanel would lose its data.',
    action: "Select the data residency shown in Mixpanel's project settings",
  },
};

const unknown = passing('Mixpanel returned an unknown error.');

export interface Failure {
  endpoint: Endpoint;
  status: number;
  /** Mixpanel's own text. It is only matched, never shown. */
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
    message: "Mixpanel's hourly limit of 60 queries is used up. Loaded rows are verified after it resets.",
    retryAfterSeconds: QUOTA_WAIT_SECONDS,
    failureClass: 'quota',
  });
}

/** Mixpanel accepted the others and rejects this one permanently. */
export function refusedRows(row: string, field: string, message: string, count: number): RowRejected {
  const others = count > 1 ? ` and ${count - 1} more` : '';
  return new RowRejected({
    code: 'mixpanel.row_refused',
    message: `Mixpanel rejected ${row}${others}: ${field}: ${shorten(message)}. It accepted the other rows.`,
    action: 'Contact the operator of this installation',
  });
}

export function rowTooLarge(): RowRejected {
  const { code, message, action } = toConnectorError({ endpoint: 'import', status: 413, text: '' });
  return new RowRejected({ code, message, action });
}

export function notAllTaken(expected: number, taken: number): RetryLater {
  return new RetryLater({
    code: 'mixpanel.not_all_taken',
    message: `Mixpanel accepted ${taken} of ${expected} events but did not return which.`,
    action: itself,
  });
}

export function cutExport(reason: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'mixpanel.export_incomplete',
    message: `Mixpanel returned an incomplete export: ${reason}.`,
    action: itself,
  });
}

export function lostEvents(rows: number): CorruptAnswer {
  return new CorruptAnswer({
    code: 'mixpanel.other_than_sent',
    message: `Mixpanel returns other values than were sent for ${plural(rows, 'row')}. They are being corrected.`,
    action: itself,
  });
}

/** Mixpanel publishes no limit for how late imported events appear, so a delay is not an error. */
export function notShownYet(rows: number, days: Day[], shown: DayTotals[]): NotVerifiedYet {
  return new NotVerifiedYet({
    code: 'mixpanel.not_shown_yet',
    message: `Mixpanel accepted ${plural(rows, 'row')} but does not return them yet. Their days are not verified yet.`,
    action: 'No action needed: the next run verifies them',
    days,
    shown,
  });
}

/** The first sentence of Mixpanel's text, without its full stop. */
function shorten(text: string): string {
  return text.slice(0, 200).replace(/[.\s]+$/, '');
}
