import { setTimeout as delay } from 'node:timers/promises';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';
import { isTransient } from './errors.js';
import { BigQueryFailure, readFailure } from './failure.js';
import { defaultPace, type BigQuerySettings, type DestinationSettings, type Pace } from './settings.js';

/** Attempts per request before the run is rescheduled with RetryLater. */
const TRIES = 5;
/** In units of the first pause. */
const LONGEST_PAUSE = 16;

export interface ApiRequest extends HttpRequest {
  /** Statuses besides 2xx that the caller handles. */
  accepted?: number[];
  /** Replaces the operator's base URL: the address of an upload. */
  baseUrl?: string;
}

/** BigQuery's REST API: signs requests in, retries transient errors and classifies errors. */
export class BigQueryApi {
  readonly settings: BigQuerySettings;
  readonly destination: DestinationSettings;
  readonly pace: Pace;
  private readonly tokens: AccessTokenProvider;

  constructor(settings: BigQuerySettings, destination: DestinationSettings, tokens: AccessTokenProvider) {
    this.settings = settings;
    this.destination = destination;
    this.tokens = tokens;
    this.pace = { ...defaultPace, ...settings.pace };
  }

  /** Path below the project: `/datasets/ads`. */
  get project(): string {
    return `/bigquery/v2/projects/${encodeURIComponent(this.destination.projectId)}`;
  }

  get dataset(): string {
    return `${this.project}/datasets/${this.destination.datasetId}`;
  }

  async json(context: ConnectorContext, request: ApiRequest): Promise<unknown> {
    const answer = await this.send(context, request);
    const text = await answer.text();
    return text === '' ? null : parseJson(text, answer);
  }

  /** Returns null if the resource does not exist. */
  async find(context: ConnectorContext, path: string): Promise<unknown> {
    return this.json(context, { method: 'GET', path }).catch((error: unknown) => {
      if (error instanceof BigQueryFailure && error.status === 404) return null;
      throw error;
    });
  }

  /** Every request may be sent twice: created resources have names chosen here, and deleted ones may already be missing. */
  async send(context: ConnectorContext, request: ApiRequest): Promise<HttpAnswer> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.sendSignedIn(context, request);
      } catch (error) {
        if (tries >= TRIES || !isTransient(error) || isDuplicate(error) || context.signal.aborted) throw error;
        await this.pause(context, tries);
      }
    }
  }

  /** Exponential backoff with jitter, so that clients that hit a limit together do not retry together. */
  async pause(context: ConnectorContext, tries: number): Promise<void> {
    const milliseconds = this.pace.retryMs * Math.min(2 ** (tries - 1), LONGEST_PAUSE) * (0.5 + Math.random());
    await delay(milliseconds, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }

  /** A valid token may expire between two requests. The request is retried once with a fresh token. */
  async sendSignedIn(context: ConnectorContext, request: ApiRequest): Promise<HttpAnswer> {
    const token = await this.tokens.accessToken(context.signal);
    try {
      return await this.sendOnce(context, request, token);
    } catch (error) {
      if (!(error instanceof BigQueryFailure) || error.status !== 401) throw error;
    }
    return this.sendOnce(context, request, await this.tokens.accessToken(context.signal, { refused: token }));
  }

  private async sendOnce(context: ConnectorContext, request: ApiRequest, token: string): Promise<HttpAnswer> {
    const { accepted = [], baseUrl = this.settings.baseUrl, ...rest } = request;
    const headers = { ...rest.headers, authorization: `Bearer ${token}` };
    const answer = await sendRequest({ baseUrl, serviceName: 'BigQuery', answerTimeoutMs: this.pace.answerMs }, context, {
      ...rest,
      headers,
    });
    if ((answer.status >= 200 && answer.status < 300) || accepted.includes(answer.status)) return answer;
    throw await readFailure(answer);
  }
}

/** An attempt without an answer has created the resource. Another attempt would get the same answer. */
const isDuplicate = (error: unknown): boolean => error instanceof BigQueryFailure && error.reason === 'duplicate';

function parseJson(text: string, { status, requestId }: HttpAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BigQueryFailure({ status, reason: 'backendError', message: 'an answer that is not JSON', requestId });
  }
}
