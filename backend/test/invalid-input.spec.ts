import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { listOperations, type OperationEntry } from '../src/openapi/schema.js';
import { AnswerValidator } from './answer-validator.js';
import { startTestApp, type TestApp } from './app.js';
import { shareOf } from './counts.js';
import { BodyValidator } from './invalid-input/body-validator.js';
import { fieldsOf, isAbout, withField } from './invalid-input/fields.js';
import { FORGED_CURSORS, forged, OVERSIZED_VALUES, WRONG_BODIES, WRONG_IDS, WRONG_VALUES } from './invalid-input/values.js';
import { tokenFor } from './http.js';
import { parametersOf, type Request, requestOf } from './permission-matrix/request.js';
import { aTestOrganization, type TestOrganization, snapshot } from './permission-matrix/test-organization.js';
import { aSuperAdmin } from './teams.js';

const AT_ONCE = 12;
/** Operations that answer 404 to everyone except platform staff. */
const OF_STAFF = ['/api/v1/submissions', '/api/v1/users'];
/** The response is false for every checkout session of another organization, because an error would reveal that it exists. */
const FALSE_FOR_ALL = ['sessionId'];

let app: TestApp;
let organization: TestOrganization;
let document: OpenAPIObject;
let answers: AnswerValidator;
let bodies: BodyValidator;
let operations: OperationEntry[];
let token: string;
let ran = 0;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMITS: 'off' });
  document = await createDocument(app.nest);
  answers = new AnswerValidator(document);
  bodies = new BodyValidator(document);
  operations = listOperations(document);
  organization = await aTestOrganization(app, 'Garbage');
  token = tokenFor(organization.members.owner);
});
afterAll(() => app.stop());

interface Try {
  what: string;
  request: Request;
  /** The raw body, if it is not valid JSON. */
  raw?: string;
  /** Token of another caller than the owner. */
  token?: string | undefined;
  checkResponse: (answer: Answer) => string | null;
}

interface Answer {
  status: number;
  code: unknown;
  fields: string[];
}

describe('invalid input from an owner', () => {
  it('in a field is rejected with the field’s name, and nothing is stored', async () => {
    const before = await everything();
    const failures = await runAll(
      triesOfFields(
        WRONG_VALUES,
        (entry, body) => !bodies.isValid(entry, body),
        ({ fields, code }, path) =>
          (code === 'request.invalid' && fields.some((field) => isAbout(field, path))) || code === 'access.not_yours'
            ? null
            : `does not contain ${path}`,
      ),
    );
    expect(failures).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('that is too large, too deep or too long is rejected in every field, and nothing is stored', async () => {
    const before = await everything();
    const tries = triesOfFields(
      OVERSIZED_VALUES,
      () => true,
      ({ status, code }) =>
        (status === 400 && (code === 'request.invalid' || code === 'request.malformed')) ||
        (status === 413 && code === 'request.too_large') ||
        (status === 422 && code === 'push.invalid_event')
          ? null
          : 'is not rejected because of its size',
    );
    expect(await runAll(tries)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('in a well-formed cursor is rejected by every list', async () => {
    const lists = operations.filter((entry) => parametersOf(entry).some(({ name }) => name === 'cursor'));
    expect(lists.length).toBeGreaterThan(10);
    const staff = await aSuperAdmin(app);
    const cursors = [
      ...Object.entries(FORGED_CURSORS).map(([what, values]) => [what, forged(values)]),
      ['a number as text', '5'],
      ['no JSON', 'not-a-cursor'],
    ];
    const tries = lists.flatMap((entry) =>
      cursors.map(([what, cursor = '']): Try => {
        const [path = ''] = requestOf(entry, valuesOf()).path.split('?');
        return {
          what: `${what} to ${path}`,
          request: { method: 'GET', path: `${path}?cursor=${encodeURIComponent(cursor)}`, headers: {} },
          token: OF_STAFF.includes(entry.path) ? tokenFor(staff) : undefined,
          checkResponse: ({ status, code, fields }) =>
            status === 400 && code === 'request.invalid' && fields.includes('cursor') ? null : 'is not rejected as a cursor',
        };
      }),
    );
    expect(await runAll(tries)).toEqual([]);
  });

  it('as a whole body is rejected, and nothing is stored', async () => {
    const before = await everything();
    const tries = operations.filter(hasBody).flatMap((entry, place) =>
      shareOf(wrongBodies(entry), place).map(([what, raw]): Try => {
        const request = requestOf(entry, valuesOf());
        return {
          what: `${what} to ${request.path}`,
          request,
          raw,
          checkResponse: ({ status }) => (isRefusal(status) ? null : 'is accepted'),
        };
      }),
    );
    expect(await runAll(tries)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('instead of an id is rejected or not found', async () => {
    const before = await everything();
    const tries = operations.flatMap((entry, place) =>
      parametersOf(entry)
        .filter((parameter) => parameter.in === 'path' && !FALSE_FOR_ALL.includes(parameter.name))
        .flatMap(({ name }) =>
          shareOf(WRONG_IDS, place).map((id): Try => {
            const marked = requestOf(entry, { ...valuesOf(), [name]: 'HERE' });
            const request = { ...marked, path: marked.path.replace('HERE', id) };
            return { what: `${name}=${id.slice(0, 40)} to ${entry.method} ${entry.path}`, request, checkResponse: refused };
          }),
        ),
    );
    expect(await runAll(tries)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('in a query never causes an internal error', async () => {
    const texts = [
      ...Object.values(WRONG_VALUES).filter((value) => typeof value === 'string' && value.length < 4_000),
      '1&limit=2',
    ];
    const tries = operations.flatMap((entry) =>
      parametersOf(entry)
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) =>
          [...texts.map((text) => `${name}=${encode(String(text))}`), `${name}=a&${name}=b`, `${name}[a]=b`, `${name}=%ZZ`].map(
            (query): Try => {
              const [path = ''] = requestOf(entry, valuesOf()).path.split('?');
              const request = { method: entry.method.toUpperCase(), path: `${path}?${query}`, headers: {} };
              return {
                what: `${query.slice(0, 60)} to ${path}`,
                request,
                checkResponse: ({ status }) => (status < 500 ? null : 'causes an internal error'),
              };
            },
          ),
        ),
    );
    expect(await runAll(tries)).toEqual([]);
  });

  // Last, because it changes stored data: these values are valid texts.
  it('that is valid for a field never causes an internal error', async () => {
    const failures = await runAll(
      triesOfFields(
        WRONG_VALUES,
        (entry, body) => bodies.isValid(entry, body),
        ({ status }) => (status < 500 ? null : 'causes an internal error'),
      ),
    );
    process.stdout.write(`Garbage: ${ran} calls\n`);
    expect(failures).toEqual([]);
  });
});

/** An empty body is valid where an empty object is valid. */
const wrongBodies = (entry: OperationEntry): [string, string][] =>
  Object.entries(WRONG_BODIES).filter(([what]) => !what.includes('nothing') || !bodies.isValid(entry, {}));

const hasBody = ({ operation }: OperationEntry): boolean => operation.requestBody !== undefined;
const isRefusal = (status: number): boolean => status >= 400 && status < 500;
const refused = ({ status }: Answer): string | null => (isRefusal(status) ? null : 'is accepted');
/** A single surrogate has no UTF-8 encoding. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function valuesOf(): Record<string, string> {
  const { uid, email } = organization.members.owner;
  return { ...organization.values, userId: uid, uid, email, user_id: uid, inviter_user_id: uid, inviter_email: email };
}

const schemaOf = ({ operation }: OperationEntry): unknown =>
  (operation.requestBody as { content: Record<string, { schema?: unknown }> }).content['application/json']?.schema;

function triesOfFields(
  values: Record<string, unknown>,
  isWanted: (entry: OperationEntry, body: unknown) => boolean,
  checkResponse: (answer: Answer, path: string) => string | null,
): Try[] {
  const tried = new Set<string>();
  let place = 0;
  return operations.filter(hasBody).flatMap((entry) => {
    const request = requestOf(entry, valuesOf());
    if (!bodies.isValid(entry, request.body)) throw new Error(`The example of ${entry.path} does not match the document`);
    // Operations with the same body validate it in the same way.
    const schema = JSON.stringify(schemaOf(entry));
    if (tried.has(schema)) return [];
    tried.add(schema);
    return fieldsOf(document, entry).flatMap((path) =>
      shareOf(Object.entries(values), place++)
        .map(([what, value]) => ({ what, body: withField(request.body, path, value) }))
        .filter(({ body }) => isWanted(entry, body))
        .map(({ what, body }): Try => {
          const called = `${what} as ${path} to ${entry.method} ${entry.path}`;
          return { what: called, request: { ...request, body }, checkResponse: (answer) => checkResponse(answer, path) };
        }),
    );
  });
}

/** The stored data: row counts of all tables, and all rows of the organization. Audit events and rate counts are excluded. */
async function everything(): Promise<unknown> {
  const tables = await app.database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relname not in ('audit_events', 'rate_counts', 'workers') order by 1`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => [name, await app.database.query(`select count(*)::int as rows from "${name}"`)]),
  );
  return { counts, stored: await snapshot(app, organization) };
}

/** A server may respond and close the connection while two megabytes are still being sent: such a call is retried once. */
const isCutOff = ({ what }: Try): boolean => what.startsWith('two megabytes');

async function runAll(tries: Try[]): Promise<string[]> {
  const waiting = [...tries];
  const failures: string[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const attempt = next;
      const problem = await run(attempt)
        .catch((error: unknown) => (isCutOff(attempt) ? run(attempt) : Promise.reject(error)))
        .catch((error: Error) => `connection error: ${error.message}`);
      if (problem) failures.push(`${next.what}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  ran += tries.length;
  return failures;
}

async function run({ request: { method, path, body }, raw, token: other = token, checkResponse }: Try): Promise<string | null> {
  const answer = await fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body: method === 'GET' || method === 'DELETE' ? undefined : (raw ?? JSON.stringify(body)),
  });
  if ((answer.headers.get('content-type') ?? '').includes('event-stream')) {
    await answer.body?.cancel();
    return checkResponse({ status: answer.status, code: null, fields: [] });
  }
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const said = (isJson ? JSON.parse(text) : {}) as { code?: unknown; errors?: { field: string }[] };
  const verdict = checkResponse({
    status: answer.status,
    code: said.code,
    fields: (said.errors ?? []).map(({ field }) => field),
  });
  if (verdict) return `${verdict}: ${answer.status} ${text.slice(0, 250)}`;
  try {
    answers.assertDescribed(method, path, answer.status, isJson ? (said as Record<string, unknown>) : undefined);
    return null;
  } catch (error) {
    return (error as Error).message.slice(0, 400);
  }
}
