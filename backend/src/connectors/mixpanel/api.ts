import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext, Day } from '../kit/contract.js';
import { addDays } from '../kit/days.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';
import { cutExport, PlanLimit, toConnectorError, type Endpoint } from './errors.js';
import { hostsOf } from './hosts.js';
import { accountSchema, importSchema, parseJson, sumSchema, type ImportOutcome } from './answers.js';
import type { Credentials, MixpanelSettings, ProjectSettings } from './settings.js';

/** Attempts per request before the run is rescheduled. */
const ATTEMPTS: Record<Endpoint, number> = { import: 4, export: 2, query: 2, app: 3 };
const RETRY_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
const RETRIED = [429, 502, 503, 504];
/** In characters. Mixpanel accepts events of at most 1 MB. */
const LONGEST_LINE = 4 * 1024 * 1024;
/** Seen in Airbyte's source-mixpanel; the API description does not name it. */
const LATER_THAN_TODAY = 'to_date cannot be later than today';

export interface EventQuery {
  from: Day;
  to: Day;
  where: string;
  event?: string;
  limit?: number;
}

export interface DayQuery {
  from: Day;
  to: Day;
  event: string;
  limit?: number;
}

/** Mixpanel rejects a day that has not begun on the project's clock. */
export class DayNotBegun extends Error {
  constructor(day: Day) {
    super(`${day} has not begun in the project`);
  }
}

/** The five calls that loading and verifying need, for one service account and project. */
export class MixpanelApi {
  private readonly settings: MixpanelSettings;
  private readonly project: ProjectSettings;
  private readonly authorization: string;
  private readonly hosts: Record<Endpoint, string>;
  /** Set when the plan does not include the Query API. Repeating the request would only cost calls. */
  private planLimit: PlanLimit | null = null;

  constructor(settings: MixpanelSettings, project: ProjectSettings, { username, secret }: Credentials) {
    this.settings = settings;
    this.project = project;
    this.authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
    this.hosts = hostsOf(settings.baseUrl, project.residency);
  }

  /** Imports at most 2,000 events, packed. */
  async importEvents(context: ConnectorContext, packed: Buffer): Promise<ImportOutcome> {
    const answer = await this.send(context, 'import', {
      ...this.importTarget,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(packed),
    });
    const text = await answer.text();
    if (answer.status === 413) return { isTooLarge: true };
    const parsed = importSchema.safeParse(parseJson(text));
    const isJudged = answer.status === 200 || (answer.status === 400 && parsed.data?.failed_records);
    if (!isJudged || !parsed.success) throw toConnectorError({ endpoint: 'import', status: answer.status, text });
    return { isTooLarge: false, imported: parsed.data.num_records_imported, refused: parsed.data.failed_records ?? [] };
  }

  private get importTarget(): Pick<HttpRequest, 'method' | 'path'> {
    return { method: 'POST', path: `/import?${this.parameters({ strict: '1' })}` };
  }

  /** Method and address of an import. */
  describeImport(): string {
    const { method, path } = this.importTarget;
    return `${method} ${this.hosts.import}${path}`;
  }

  /** Raw events, one per line, as they were received, including duplicates. */
  async *exportLines(context: ConnectorContext, query: EventQuery): AsyncGenerator<string> {
    yield* linesOf(await this.openExport(context, query));
  }

  /**
   * The same for days that have begun on the project's clock. `limit` returns some of the events, not the newest. Throws
   * `DayNotBegun` if Mixpanel says that the last day has not begun.
   */
  async *exportDays(context: ConnectorContext, { from, to, event, limit }: DayQuery): AsyncGenerator<string> {
    const dates = { from_date: from, to_date: to, event: JSON.stringify([event]), time_in_ms: 'true' };
    const path = `/export?${this.parameters({ ...dates, ...(limit !== undefined && { limit: String(limit) }) })}`;
    const answer = await this.send(context, 'export', { method: 'GET', path, headers: { accept: 'text/plain' } });
    if (answer.status === 200) return yield* linesOf(answer);
    const text = await answer.text();
    throw text.includes(LATER_THAN_TODAY)
      ? new DayNotBegun(to)
      : toConnectorError({ endpoint: 'export', status: answer.status, text });
  }

  /**
   * Mixpanel rejects days after today on the project's clock, which is UTC or the project's time zone. Today is therefore the UTC
   * date, the day after or the day before: the latest one that Mixpanel accepts is used.
   */
  private async openExport(context: ConnectorContext, { from, to, where, event, limit }: EventQuery): Promise<HttpAnswer> {
    const today = this.settings.now().toISOString().slice(0, 10);
    const names = JSON.stringify([event ?? this.project.eventName]);
    const others = { event: names, where, time_in_ms: 'true', ...(limit && { limit: String(limit) }) };
    for (const latest of [addDays(today, 1), today, addDays(today, -1)]) {
      if (latest < from) break;
      const dates = { from_date: from, to_date: to < latest ? to : latest };
      const path = `/export?${this.parameters({ ...dates, ...others })}`;
      const answer = await this.send(context, 'export', { method: 'GET', path, headers: { accept: 'text/plain' } });
      if (answer.status === 200) return answer;
      const text = await answer.text();
      if (!text.includes(LATER_THAN_TODAY)) throw toConnectorError({ endpoint: 'export', status: answer.status, text });
    }
    throw toConnectorError({ endpoint: 'export', status: 400, text: LATER_THAN_TODAY });
  }

  /** The projects that the service account can access: names by id. */
  async describeAccount(context: ConnectorContext): Promise<Map<string, string>> {
    const answer = await this.send(context, 'app', { method: 'GET', path: '/app/me' });
    if (answer.status !== 200) throw await toError('app', answer);
    const { results } = accountSchema.parse(parseJson(await answer.text()));
    return new Map(Object.entries(results.projects).map(([id, { name }]) => [id, name ?? id]));
  }

  /** Rejected if the project is in another region. */
  async askForEventNames(context: ConnectorContext): Promise<void> {
    const path = `/query/events/names?${this.parameters({ type: 'general', limit: '1' })}`;
    await (await this.query(context, path)).text();
  }

  get hasQueryApi(): boolean {
    return this.planLimit === null;
  }

  /** Mixpanel's own sum over deduplicated events. */
  async sumProperty(context: ConnectorContext, property: string, { from, to, where }: EventQuery): Promise<number> {
    const on = `properties[${JSON.stringify(property)}]`;
    const parameters = { event: this.project.eventName, from_date: from, to_date: to, on, unit: 'day', where };
    const path = `/query/segmentation/sum?${this.parameters(parameters)}`;
    const answer = await this.query(context, path);
    const { results } = sumSchema.parse(parseJson(await answer.text()));
    return Object.values(results).reduce((sum, value) => sum + value, 0);
  }

  private async query(context: ConnectorContext, path: string): Promise<HttpAnswer> {
    if (this.planLimit) throw this.planLimit;
    const answer = await this.send(context, 'query', { method: 'GET', path });
    if (answer.status === 200) return answer;
    const error = await toError('query', answer);
    if (error instanceof PlanLimit) this.planLimit = error;
    throw error;
  }

  private parameters(others: Record<string, string>): URLSearchParams {
    return new URLSearchParams({ project_id: this.project.projectId, ...others });
  }

  /** Follows Mixpanel's rules: retries 429, 502 and 503 with exponential backoff up to a minute, and never 400. */
  private async send(context: ConnectorContext, endpoint: Endpoint, request: HttpRequest): Promise<HttpAnswer> {
    const http = { baseUrl: this.hosts[endpoint], serviceName: 'Mixpanel' };
    const headers = { ...request.headers, authorization: this.authorization };
    for (let attempt = 1; ; attempt++) {
      const answer = await sendRequest(http, context, { ...request, headers });
      if (!RETRIED.includes(answer.status)) return answer;
      if (attempt >= ATTEMPTS[endpoint]) throw await toError(endpoint, answer);
      await answer.text();
      await this.pause(context, attempt);
    }
  }

  private async pause({ signal }: ConnectorContext, attempt: number): Promise<void> {
    const first = this.settings.retryDelayMs ?? RETRY_DELAY_MS;
    const jitter = first * (0.5 + Math.random());
    await delay(Math.min(LONGEST_DELAY_MS, first * 2 ** (attempt - 1)) + jitter, undefined, { signal });
  }
}

/** Lines end with a line feed only: other separators, such as U+2028, are part of texts. An answer without the last one is truncated. */
async function* linesOf({ body }: HttpAnswer): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw cutExport('a line without an end');
    yield* lines;
  }
  if (rest !== '') throw cutExport('an export was truncated');
}

async function toError(endpoint: Endpoint, answer: HttpAnswer): Promise<Error> {
  return toConnectorError({ endpoint, status: answer.status, text: await answer.text() });
}
