import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createDocument } from '../src/openapi.js';
import { listHandlers } from '../src/openapi/handlers.js';
import { listOperations, type OperationEntry } from '../src/openapi/schema.js';
import { AnswerValidator } from './answer-validator.js';
import { startTestApp, type TestApp } from './app.js';
import { type Caller, everyCaller, outcomeOf, type Outcome, type Rules } from './permission-matrix/callers.js';
import {
  bodyExampleOf,
  isReading,
  parametersOf,
  withUnknownField,
  type Request,
  requestOf,
  type Values,
} from './permission-matrix/request.js';
import { aTestOrganization, type TestOrganization, snapshot } from './permission-matrix/test-organization.js';

/** Status of operations that check access themselves: for a user who names resources of others, and for platform staff. */
const DECIDED_BY_THE_CALL: Record<string, { outsider: number[]; staff?: number[] }> = {
  getOrSaveUser: { outsider: [403] },
  getUser: { outsider: [403], staff: [200] },
  getMe: { outsider: [200] },
  listUsers: { outsider: [404], staff: [200] },
  disableUser: { outsider: [404], staff: [200] },
  enableUser: { outsider: [404], staff: [200] },
  getCatalog: { outsider: [200] },
  createOrganization: { outsider: [403] },
  getOrganizationIds: { outsider: [403] },
  getOrganizationData: { outsider: [404], staff: [200] },
  restoreOrganization: { outsider: [404] },
  listDeletedOrganizations: { outsider: [200] },
  getIntercomHash: { outsider: [403] },
  identifyUser: { outsider: [403] },
  trackEvent: { outsider: [403] },
  getPendingInvitation: { outsider: [200] },
  acceptInvitation: { outsider: [403, 404] },
  rejectInvitation: { outsider: [403, 404] },
  getInvitationPreview: { outsider: [404] },
  listSubmissions: { outsider: [404], staff: [200] },
  moveSubmission: { outsider: [404], staff: [200] },
};
const AT_ONCE = 16;

interface Case {
  who: Caller;
  request: Request;
  /** The expected result; a list if the document allows several. */
  allowed: number[] | Outcome | 'hidden';
  /** The organization whose texts and ids must not be in the response. */
  secret: TestOrganization | null;
}

let app: TestApp;
let home: TestOrganization;
let other: TestOrganization;
let callers: Caller[];
let document: OpenAPIObject;
let validator: AnswerValidator;
let operations: { entry: OperationEntry; rules: Rules }[];
let ran = 0;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMITS: 'off' });
  document = await createDocument(app.nest);
  validator = new AnswerValidator(document);
  [home, other] = await Promise.all([aTestOrganization(app, 'Home'), aTestOrganization(app, 'Other')]);
  callers = await everyCaller(app, home, other);
  await app.database.query('update organizations set require_second_factor = true where id = $1', [home.organizationId]);
  const handlers = new Map(listHandlers(app.nest).map((handler) => [handler.operationId, handler]));
  operations = listOperations(document).map((entry) => {
    const handler = handlers.get(entry.operation.operationId ?? '');
    if (!handler?.rule) throw new Error(`${entry.path} has no access rule`);
    return { entry, rules: { rule: handler.rule, needsVerifiedEmail: handler.needsVerifiedEmail } };
  });
});
afterAll(() => app.stop());

describe('every operation', () => {
  it('accepts the callers of its access rule and rejects all others without data', async () => {
    const before = await Promise.all([snapshot(app, home), snapshot(app, other)]);
    const failures = await runAll(operations.flatMap(({ entry, rules }) => callers.map((who) => homeCase(entry, rules, who))));
    expect(failures).toEqual([]);
    expect(await Promise.all([snapshot(app, home), snapshot(app, other)])).toEqual(before);
  });

  it('treats an id of another organization like a missing one in every parameter and field', async () => {
    const before = await Promise.all([snapshot(app, home), snapshot(app, other)]);
    const members = callers.filter(({ role }) => role !== null);
    const cases = operations.flatMap(({ entry, rules }) =>
      rules.rule.kind === 'permission' ? members.flatMap((who) => swappedCases(entry, rules, who)) : [],
    );
    expect(await runAll(cases)).toEqual([]);
    expect(await Promise.all([snapshot(app, home), snapshot(app, other)])).toEqual(before);
  });

  it('that checks access itself returns the listed status to users without access', async () => {
    const outsiders = callers.filter(({ kind, role }) => kind === 'person' && role === null);
    const cases = operations
      .filter(({ rules: { rule } }) => rule.kind === 'signed-in' || rule.kind === 'optional')
      .flatMap(({ entry }) => outsiders.map((who) => strangerCase(entry, who)));
    expect(await runAll(cases)).toEqual([]);
  });

  it('is tested in at least 1,500 cases', () => {
    process.stdout.write(`Access matrix: ${operations.length} operations, ${callers.length} callers, ${ran} cases\n`);
    expect(ran).toBeGreaterThanOrEqual(1_500);
  });
});

const READ_BY_STRANGERS = { public: [200, 302], 'signed-in': [200, 404], optional: [401, 404] };
/** The holder of a link or badge needs no sign-in. The one named here does not exist. Only a demo has a tour. */
const NOT_FOUND = ['/reconnect/', '/api/v1/badges/', '/api/v1/demo'];
const readByStrangers = ({ path }: OperationEntry, kind: keyof typeof READ_BY_STRANGERS): number[] =>
  NOT_FOUND.some((start) => path.startsWith(start)) ? [404] : READ_BY_STRANGERS[kind];

/** Cases that name the home organization and its resources. */
function homeCase(entry: OperationEntry, rules: Rules, who: Caller): Case {
  const { rule } = rules;
  const outcome = outcomeOf(who, rules, entry.path);
  const values = valuesOf(entry, who);
  const isTried = isReading(entry);
  const request = isTried ? requestOf(entry, values) : withUnknownField(entry, values);
  const isKnown = who.role !== null || who.isStaff;
  // The third test covers operations that check access themselves.
  const isForeignRead = isTried && outcome === 'passes' && rule.kind !== 'permission' && !isKnown;
  return {
    who,
    request,
    allowed: isForeignRead ? readByStrangers(entry, rule.kind) : outcome,
    secret: isKnown && outcome === 'passes' ? null : home,
  };
}

function swappedCases(entry: OperationEntry, rules: Rules, who: Caller): Case[] {
  const values = valuesOf(entry, who);
  const optional = parametersOf(entry).filter((parameter) => parameter.in === 'query' && !parameter.required);
  return foreignNames(entry).map((name) => {
    const swapped = { ...values, [name]: other.values[name] ?? '' };
    const isOrganization = other.values[name] === other.organizationId;
    const outcome = outcomeOf(isOrganization ? { ...who, role: null } : who, rules, entry.path);
    const isFilter = optional.some((parameter) => parameter.name === name);
    return {
      who,
      request: requestOf(entry, swapped),
      allowed: outcome !== 'passes' ? outcome : isFilter ? [200, 404] : 'hidden',
      secret: other,
    };
  });
}

/** Parameters and fields that could contain an id of another organization. */
function foreignNames(entry: OperationEntry): string[] {
  const body = bodyExampleOf(entry);
  const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const names = [...parametersOf(entry).map(({ name }) => name), ...fields];
  return [...new Set(names)].filter((name) => name !== 'type' && name in other.values);
}

function strangerCase(entry: OperationEntry, who: Caller): Case {
  const { operationId = '' } = entry.operation;
  const expected = DECIDED_BY_THE_CALL[operationId];
  if (!expected)
    throw new Error(`${operationId} checks access itself: add its status for users without access to DECIDED_BY_THE_CALL`);
  const { uid, email } = home.members.owner;
  const victim = { ...home.values, userId: uid, uid, email };
  const staff = who.isStaff ? expected.staff : undefined;
  return { who, request: requestOf(entry, victim), allowed: staff ?? expected.outsider, secret: staff ? null : home };
}

/** The documented calls may repeat the caller's id. On the REST API the same names mean another user. */
const isOwnName = ({ path }: OperationEntry, name: string): boolean => name === 'userId' && !path.startsWith('/api/v1/');

function valuesOf(entry: OperationEntry, { user }: Caller): Values {
  if (!user || !isOwnName(entry, 'userId')) return home.values;
  const { uid, email } = user;
  return { ...home.values, userId: uid, uid, email, user_id: uid, inviter_user_id: uid, inviter_email: email };
}

async function runAll(cases: Case[]): Promise<string[]> {
  const waiting = [...cases];
  const failures: string[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) failures.push(...(await run(next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  ran += cases.length;
  return failures;
}

async function run({ who, request, allowed, secret }: Case): Promise<string[]> {
  const answer = await send(who, request);
  const call = `${who.name}: ${request.method} ${request.path}`;
  const said = `${call} answered ${answer.status} ${answer.text.slice(0, 300)}`;
  try {
    validator.assertDescribed(request.method, request.path, answer.status, answer.body);
  } catch (error) {
    return [`${call}: ${(error as Error).message.slice(0, 500)}`];
  }
  const leaked = secret ? leaks(secret, request, answer.text) : [];
  return [
    ...(isAsExpected(allowed, answer) ? [] : [`${said}, expected ${JSON.stringify(allowed)}`]),
    ...(leaked.length > 0 ? [`${call} leaks ${leaked.join(', ')}: ${answer.text.slice(0, 300)}`] : []),
  ];
}

/** Missing, or rejected because of the caller, which reveals nothing about the resource. */
const HIDES = ['not_found', 'access.role_too_low', 'access.not_yours', 'access.person_needed'];

const CODES: Record<Exclude<Outcome, 'passes' | 'unauthenticated'>, string> = {
  'person needed': 'access.person_needed',
  'role too low': 'access.role_too_low',
  missing: 'not_found',
  'second factor required': 'auth.second_factor_required',
  'e-mail unverified': 'auth.email_unverified',
};

function isAsExpected(allowed: Case['allowed'], { status, body }: Answer): boolean {
  if (Array.isArray(allowed)) return allowed.includes(status);
  const isNoOrganization = body?.['detail'] === 'The organization was not found.';
  if (allowed === 'hidden') return HIDES.includes(String(body?.['code']));
  if (allowed === 'unauthenticated') return status === 401;
  if (allowed === 'missing') return status === 404 && isNoOrganization;
  if (allowed === 'passes') return [200, 302, 400].includes(status) || (status === 404 && !isNoOrganization);
  return body?.['code'] === CODES[allowed];
}

/** Values that the caller has sent are not a leak. */
const leaks = (organization: TestOrganization, request: Request, text: string): string[] =>
  [organization.marker, organization.organizationId, ...Object.values(organization.values)].filter(
    (value) => value.length > 20 && text.includes(value) && !JSON.stringify(request).includes(value),
  );

interface Answer {
  status: number;
  text: string;
  body: Record<string, unknown> | undefined;
}

async function send(who: Caller, { method, path, headers, body }: Request): Promise<Answer> {
  const answer = await fetch(app.url + path, {
    method,
    redirect: 'manual',
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(who.token ? { authorization: `Bearer ${who.token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('event-stream')) {
    await answer.body?.cancel();
    return { status: answer.status, text: '', body: undefined };
  }
  const text = await answer.text();
  return { status: answer.status, text, body: type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : undefined };
}
