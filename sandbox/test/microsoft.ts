import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { startSandbox } from '../src/server.ts';

/** The product's calls to Microsoft Advertising over HTTP, for the tests. */
export const adsScope = 'https://ads.microsoft.com/msads.manage';
export const bothScopes = `${adsScope} offline_access`;
export const redirectUri = 'http://localhost:3000/oauth/callback';
export const verifier = 'a-verifier-of-at-least-forty-three-characters';

export const de = '180500011';
export const us = '180500012';
export const closed = '180500014';
export const nc = '180500015';
export const pk = '180500016';
export const outlet = '180500020';
const customers: Record<string, string> = { [outlet]: '160100002' };

export interface Json {
  [key: string]: Json;
  [index: number]: Json;
}

export interface Answer {
  status: number;
  body: Json;
}

export type Table = Record<string, string>[];

export interface ReportFile {
  bytes: Buffer;
  text: string;
  header: string[];
  columns: string[];
  rows: Table;
}

export class Microsoft {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async consent(overrides: Record<string, string> = {}, form: [string, string][] = []): Promise<Response> {
    const query = new URLSearchParams({
      client_id: 'client',
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 'a state',
      scope: bothScopes,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...overrides,
    });
    const address = `${this.url}/microsoft-ads/oauth2/v2.0/authorize?${query}`;
    return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
  }

  async code(user = 'demo@example.com', overrides: Record<string, string> = {}): Promise<string> {
    const answer = await this.consent(overrides, [['user', user]]);
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  }

  async token(form: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ client_id: 'client', client_secret: 'secret', scope: adsScope, ...form });
    for (const [name, value] of [...body]) if (value === '') body.delete(name);
    return readAnswer(await fetch(`${this.url}/microsoft-ads/oauth2/v2.0/token`, { method: 'POST', body }));
  }

  exchange(code: string, overrides: Record<string, string> = {}): Promise<Answer> {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    return this.token({ ...grant, ...overrides });
  }

  refresh(refreshToken: string, overrides: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...overrides });
  }

  async signIn(user = 'demo@example.com'): Promise<{ access: string; refresh: string }> {
    const { body } = await this.exchange(await this.code(user));
    return { access: String(body.access_token), refresh: String(body.refresh_token) };
  }

  async call(access: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return readAnswer(
      await fetch(`${this.url}/microsoft-ads/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${access}`,
          developertoken: 'developer',
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    );
  }

  accountCall(access: string, accountId: string, path: string, body: object): Promise<Answer> {
    const headers = { customerid: customers[accountId] ?? '160100001', customeraccountid: accountId };
    return this.call(access, path, body, headers);
  }

  user(access: string): Promise<Answer> {
    return this.call(access, 'CustomerManagement/v13/User/Query', { UserId: null });
  }

  accounts(access: string, userId: string, index = 0, size = 100): Promise<Answer> {
    const predicate = { Field: 'UserId', Operator: 'Equals', Value: userId };
    const body = { Predicates: [predicate], Ordering: null, PageInfo: { Index: index, Size: size } };
    return this.call(access, 'CustomerManagement/v13/Accounts/Search', body);
  }

  submit(access: string, accountId: string, request: object): Promise<Answer> {
    const body = { ReportRequest: { ...request, Scope: { AccountIds: [accountId] } } };
    return this.accountCall(access, accountId, 'Reporting/v13/GenerateReport/Submit', body);
  }

  poll(access: string, accountId: string, reportId: string): Promise<Answer> {
    return this.accountCall(access, accountId, 'Reporting/v13/GenerateReport/Poll', { ReportRequestId: reportId });
  }

  /** Polls until it is no longer pending. Returns the last answer. */
  async finish(
    access: string,
    accountId: string,
    reportId: string,
  ): Promise<{ polls: number; status: string; url: string | null }> {
    for (let polls = 1; polls < 20; polls++) {
      const { ReportRequestStatus: answer } = (await this.poll(access, accountId, reportId)).body;
      if (answer && String(answer.Status) !== 'Pending') {
        const url: unknown = answer.ReportDownloadUrl;
        return { polls, status: String(answer.Status), url: typeof url === 'string' ? url : null };
      }
    }
    throw new Error('The report was never finished');
  }

  async address(access: string, accountId: string, request: object): Promise<string> {
    const submitted = await this.submit(access, accountId, request);
    const { url } = await this.finish(access, accountId, String(submitted.body.ReportRequestId));
    if (!url) throw new Error(`No file: ${JSON.stringify(submitted.body)}`);
    return url;
  }

  async report(access: string, accountId: string, request: object): Promise<ReportFile> {
    return readFile(await fetch(await this.address(access, accountId, request)));
  }

  async admin(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    return readAnswer(await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) }));
  }

  fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'microsoft-ads', fault, ...parameters });
  }
}

async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Json };
}

export async function readFile(answer: Response): Promise<ReportFile> {
  const files = Object.values(unzipSync(new Uint8Array(await answer.arrayBuffer())));
  if (files.length !== 1 || !files[0]) throw new Error(`${files.length} files`);
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(files[0]);
  const lines = readCsv(text);
  const start = lines.findIndex((line) => line.length > 1);
  const end = lines.findIndex((line, index) => index > start && line.length === 1);
  const [columns = [], ...rows] = lines.slice(start, end < 0 ? undefined : end);
  return {
    bytes: Buffer.from(files[0]),
    text,
    header: lines.slice(0, start).map(([cell = '']) => cell),
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']))),
  };
}

/** Every cell is quoted; a line without one is a single empty cell. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, end] of text.matchAll(/(?:"((?:[^"]|"")*)")?(,|\r\n|$)/g)) {
    lines.at(-1)?.push((quoted ?? '').replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

export async function startMicrosoft(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<Microsoft & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  return Object.assign(new Microsoft(url), { close });
}

/** The one error of a fault: '109 AuthenticationTokenExpired'. */
export function errorOf({ body }: Answer): string {
  const error = body.Errors?.[0] ?? body.OperationErrors?.[0];
  return `${String(error?.Code)} ${String(error?.ErrorCode)}`;
}

/** 'YYYY-MM-DD' of so many days ago in UTC; tests keep a day's distance from today, which differs between time zones. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

export function reportTime(from: string, to: string, zone = 'AmsterdamBerlinBernRomeStockholmVienna'): object {
  const date = (day: string) => {
    const [Year, Month, Day] = day.split('-').map(Number);
    return { Year, Month, Day };
  };
  return { CustomDateRangeStart: date(from), CustomDateRangeEnd: date(to), ReportTimeZone: zone };
}

export function reportRequest(type: string, columns: string[], from: string, to: string, overrides: object = {}): object {
  return {
    Type: `${type}ReportRequest`,
    ReportName: 'a "report"',
    Format: 'Csv',
    FormatVersion: '2.0',
    Aggregation: 'Daily',
    Columns: ['TimePeriod', ...columns],
    Time: reportTime(from, to),
    ...overrides,
  };
}

export function sum(rows: Table, column: string): number {
  return Math.round(rows.reduce((total, row) => total + Number(row[column] || 0), 0) * 100) / 100;
}

/** SHA-256 of john@contoso.com and of +14255551234, as Microsoft's documentation prints them. */
export const johnsEmail = 'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602';
export const johnsPhone = 'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e';

/** A dateTime in UTC. */
export const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** '2:5606 OfflineConversionNameInvalid' for each partial error, in the order of the answer. */
export function partialErrorsOf({ body }: Answer): string[] {
  const errors = body.PartialErrors as unknown as { Index: number; Code: number; ErrorCode: string }[];
  return errors.map(({ Index, Code, ErrorCode }) => `${Index}:${Code} ${ErrorCode}`);
}
