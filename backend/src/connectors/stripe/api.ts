import type { z } from 'zod';
import type { ApiKeyProvider } from '../kit/connector.js';
import type { ConnectorContext } from '../kit/contract.js';
import { sendRequest } from '../kit/http.js';
import { errorOf, malformed } from './errors.js';

/** The version of which the connector knows the fields. Stripe serves old versions without an announced end. */
export const STRIPE_VERSION = '2026-10-28.endive';
/** Stripe's maximum. */
const PAGE_SIZE = 100;

export interface StripeSettings {
  /** Address of Stripe's API, without a slash at the end. */
  baseUrl: string;
  now(): Date;
  /** Charges that a slice of several days keeps in memory. Tests use fewer. */
  mostCharges?: number;
}

type Parameters = Record<string, string | number | string[]>;

/** Calls of Stripe's API with a restricted key. */
export class StripeApi {
  constructor(
    private readonly settings: StripeSettings,
    private readonly key: ApiKeyProvider,
  ) {}

  async get<Schema extends z.ZodType>(
    context: ConnectorContext,
    path: string,
    schema: Schema,
    parameters: Parameters = {},
  ): Promise<z.infer<Schema>> {
    const parsed = schema.safeParse(await this.request(context, `${path}${queryOf(parameters)}`));
    if (!parsed.success) throw malformed(path.slice('/v1/'.length), parsed.error);
    return parsed.data;
  }

  /** All pages, newest first. Objects that are added while paging belong to pages that were read already. */
  async *list<Schema extends z.ZodType<{ id: string }>>(
    context: ConnectorContext,
    path: string,
    schema: Schema,
    parameters: Parameters = {},
  ): AsyncGenerator<z.infer<Schema>[]> {
    let after: string | null = null;
    for (;;) {
      const query: Parameters = { ...parameters, limit: PAGE_SIZE, ...(after !== null && { starting_after: after }) };
      const answer = await this.request(context, `${path}${queryOf(query)}`);
      const page = listOf(answer, schema, path);
      yield page.data;
      if (!page.has_more) return;
      const last = page.data.at(-1)?.id;
      // A page that promises more without an object cannot be continued: the list would be cut silently.
      if (last === undefined || last === after) throw malformed(path.slice('/v1/'.length));
      after = last;
    }
  }

  async request(context: ConnectorContext, path: string): Promise<unknown> {
    const key = await this.key.apiKey();
    const answer = await sendRequest({ baseUrl: this.settings.baseUrl, serviceName: 'Stripe' }, context, {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${key}`, 'stripe-version': STRIPE_VERSION },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw errorOf(answer, text);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw malformed(path, error);
    }
  }
}

function listOf<Schema extends z.ZodType>(
  answer: unknown,
  schema: Schema,
  path: string,
): { data: z.infer<Schema>[]; has_more: boolean } {
  const { data, has_more: hasMore } = (answer ?? {}) as { data?: unknown; has_more?: unknown };
  const parsed = Array.isArray(data) ? schema.array().safeParse(data) : null;
  if (!parsed?.success || typeof hasMore !== 'boolean') throw malformed(path.slice('/v1/'.length), parsed?.error);
  return { data: parsed.data, has_more: hasMore };
}

function queryOf(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) value.forEach((part) => query.append(`${name}[]`, part));
    else query.append(name, String(value));
  }
  const text = query.toString();
  return text ? `?${text}` : '';
}
