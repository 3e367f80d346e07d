import { describe, expect, test } from 'vitest';
import { describeTarget, isRelativeTarget } from './callback';
import { decideRoute, organizationOf } from './decide-route';
import type { OrganizationFacts, SessionFacts } from './decide-route';

const A = '0198f3a2-7c41-7d0e-8000-00000000000a';
const B = '0198f3a2-7c41-7d0e-8000-00000000000b';

/** Of a member of all organizations in the list, unless `memberOf` is given. */
const session = ({ organizationIds = [A, B], ...given }: Partial<SessionFacts> = {}): SessionFacts => ({
  status: 'authenticated',
  organizationIds,
  memberOf: organizationIds ?? [],
  rememberedOrganizationId: null,
  callback: null,
  pendingInvitation: null,
  ...given,
});
const anonymous = session({ status: 'anonymous', organizationIds: null });
const one = session({ organizationIds: [A] });
const none = session({ organizationIds: [] });
const staff = session({ memberOf: [B], rememberedOrganizationId: A });
const staffOnly = session({ memberOf: [], rememberedOrganizationId: A });

const present: OrganizationFacts = { status: 'present', access: 'open' };
const grace: OrganizationFacts = { status: 'present', access: 'grace' };
const closed: OrganizationFacts = { status: 'present', access: 'closed' };
const unsubscribed: OrganizationFacts = { status: 'present', access: null };
const failed: OrganizationFacts = { status: 'failed', access: null };
const missing: OrganizationFacts = { status: 'missing', access: null };
const pending: OrganizationFacts = { status: 'pending', access: null };

const STAY = 'stay';
type Row = [pathname: string, session: SessionFacts, organization: OrganizationFacts, expected: string];

function table(rows: Row[]): void {
  test.each(rows)('%s', (pathname, sessionFacts, organization, expected) => {
    const decision = decideRoute(pathname, sessionFacts, organization);
    expect(decision.kind === 'stay' ? STAY : decision.to).toBe(expected);
  });
}

describe('signed out', () =>
  table([
    [`/${A}/connection`, anonymous, pending, '/login'],
    ['/organizations', anonymous, pending, '/login'],
    ['/', anonymous, pending, '/login'],
    ['/nowhere', anonymous, pending, '/login'],
    ['/people', anonymous, pending, '/login'],
    ['/login', anonymous, pending, STAY],
    ['/signUp', anonymous, pending, STAY],
    ['/forgotPassword', anonymous, pending, STAY],
    [`/${A}/acceptInvitation/${B}`, anonymous, pending, STAY],
    [`/${A}/connection/acceptInvitation`, anonymous, pending, '/login'],
    ['/addSource', anonymous, pending, '/login'],
    ['/demo', anonymous, pending, STAY],
  ]));

describe('platform staff, who can open the organizations of all customers', () =>
  table([
    ['/settings', staff, pending, `/${B}/settings`],
    ['/onboarding', staff, pending, `/${B}/connection`],
    ['/', staff, pending, '/organizations'],
    ['/organizations', staff, pending, STAY],
    [`/${A}/connection`, staff, present, STAY],
    ['/settings', staffOnly, pending, '/organizations'],
    ['/addSource', staffOnly, pending, '/organizations'],
    ['/organizations', staffOnly, pending, STAY],
  ]));

test('saves the target of a signed-out user, except the home page', () => {
  expect(decideRoute(`/${A}/connection`, anonymous, pending)).toMatchObject({ hasToRememberTarget: true });
  expect(decideRoute('/', anonymous, pending)).toMatchObject({ hasToRememberTarget: false });
});

describe('session not loaded yet', () => table([[`/${A}/connection`, session({ status: 'pending' }), pending, STAY]]));

describe('signed in, on a sign-in page', () =>
  table([
    ['/login', session(), pending, '/organizations'],
    ['/signUp', session(), pending, '/organizations'],
    ['/forgotPassword', session(), pending, '/organizations'],
    ['/login', session({ callback: `/${A}/app` }), pending, `/${A}/app`],
    ['/login', session({ organizationIds: null }), pending, '/'],
    ['/login', none, pending, '/onboarding'],
    ['/login', one, pending, `/${A}/connection`],
    ['/signUp', session({ pendingInvitation: `/${A}/acceptInvitation/${B}` }), pending, `/${A}/acceptInvitation/${B}`],
    ['/login', session({ callback: `/${A}/app`, pendingInvitation: `/${A}/acceptInvitation/${B}` }), pending, `/${A}/app`],
  ]));

describe('choice of the organization', () =>
  table([
    ['/', none, pending, '/onboarding'],
    ['/', one, pending, `/${A}/connection`],
    ['/', session(), pending, '/organizations'],
    ['/', session({ rememberedOrganizationId: B }), pending, '/organizations'],
    ['/', session({ rememberedOrganizationId: 'gone' }), pending, '/organizations'],
    ['/', session({ organizationIds: null }), pending, STAY],
    ['/organizations', none, pending, '/onboarding'],
    ['/organizations', one, pending, STAY],
    ['/organizations', session(), pending, STAY],
    ['/onboarding', none, pending, STAY],
    ['/onboarding', one, pending, `/${A}/connection`],
    ['/onboarding', session({ rememberedOrganizationId: B }), pending, `/${B}/connection`],
  ]));

describe('short paths', () =>
  table([
    ['/settings', session({ rememberedOrganizationId: B }), pending, `/${B}/settings`],
    ['/settings', one, pending, `/${A}/settings`],
    ['/settings', none, pending, '/organizations'],
    ['/payments', one, pending, `/${A}/payment`],
    ['/subscription', one, pending, `/${A}/subscription`],
    ['/subscription/success', one, pending, `/${A}/subscription/success`],
    ['/subscription/failure', one, pending, `/${A}/subscription/failure`],
    ['/settings', session({ rememberedOrganizationId: 'left' }), pending, `/${A}/settings`],
    ['/settings', session({ organizationIds: null }), pending, STAY],
  ]));

test('keeps the query of a short path, because the payment page returns with one', () => {
  expect(decideRoute('/subscription/success', one, pending)).toMatchObject({ hasToKeepQuery: true });
});

describe('wizard steps without an organization in the path', () =>
  table([
    ['/addSource', one, present, STAY],
    ['/addSource', one, unsubscribed, `/${A}/subscription`],
    ['/addSource', one, missing, '/organizations'],
    ['/addSource', none, pending, '/organizations'],
    ['/addSource', session({ organizationIds: null }), pending, STAY],
    ['/demo', none, pending, STAY],
  ]));

test('assigns wizard steps to the last organization, if the user is a member', () => {
  expect(organizationOf('/bigquery', session({ rememberedOrganizationId: B }))).toBe(B);
  expect(organizationOf('/bigquery', session({ rememberedOrganizationId: 'left' }))).toBe(A);
  expect(organizationOf('/organizations', session())).toBeNull();
  expect(organizationOf(`/${B}/app`, session())).toBe(B);
});

test('assigns a returning sign-in to the organization it was started for, if the user is a member', () => {
  const stateOf = (organizationId: string) =>
    `?state=h.${Buffer.from(JSON.stringify({ organizationId })).toString('base64url')}.s`;
  expect(organizationOf('/metaReauth', session({ rememberedOrganizationId: A }), stateOf(B))).toBe(B);
  expect(organizationOf('/metaReauth', session({ rememberedOrganizationId: A }), stateOf('not-a-member'))).toBe(A);
  expect(organizationOf('/metaReauth', session({ rememberedOrganizationId: A }), '?state=made-up')).toBe(A);
  expect(organizationOf(`/${A}/app`, session(), stateOf(B))).toBe(A);
});

test('loads no organization for an invitation', () => {
  expect(organizationOf(`/${A}/acceptInvitation/${B}`, session())).toBeNull();
});

describe('inside an organization', () =>
  table([
    [`/${A}/connection`, session(), missing, '/organizations'],
    [`/${A}/subscription`, session(), missing, '/organizations'],
    [`/${A}/acceptInvitation/${B}`, none, missing, STAY],
    [`/${A}/connection`, session(), pending, STAY],
    [`/${A}/connection`, session(), present, STAY],
    [`/${A}/nowhere`, session(), present, STAY],
  ]));

/** One row per kind of page: whether it stays open in each state of the subscription. */
const GATE: [path: string, never: boolean, lapsed: boolean, guardFailed: boolean][] = [
  [`/${A}/subscription`, true, true, true],
  [`/${A}/subscription/success`, true, true, true],
  [`/${A}/subscription/failure`, true, true, true],
  [`/${A}/acceptInvitation/${B}`, true, true, true],
  ['/organizations', true, true, true],
  [`/${A}/settings`, true, true, false],
  [`/${A}/connection/${B}/configuration`, false, true, false],
  [`/${A}/app/${B}`, false, true, false],
  [`/${A}/app/${B}/google/configuration`, false, true, false],
  [`/${A}/source/${B}/google/configuration`, false, true, false],
  [`/${A}/destination/${B}/configuration`, false, true, false],
  [`/${A}/conversion/${B}/configuration`, false, true, false],
  [`/${A}/payment/${B}/configuration`, false, true, false],
  [`/${A}/connection`, false, false, false],
  [`/${A}/connection/${B}/test1`, false, false, false],
  [`/${A}/createConnection`, false, false, false],
  [`/${A}/createConversion`, false, false, false],
  [`/${A}/app`, false, false, false],
  [`/${A}/app/connect`, false, false, false],
  [`/${A}/destination/new/configuration`, false, false, false],
  [`/${A}/GoogleAds`, false, false, false],
  [`/${A}/alert`, false, false, false],
  [`/${A}/settingsOfSomethingElse`, false, false, false],
  [`/${A}/nowhere`, false, false, false],
];

const gate = (stays: boolean) => (stays ? STAY : `/${A}/subscription`);

describe('without a subscription', () => table(GATE.map(([path, never]) => [path, session(), unsubscribed, gate(never)])));
describe('with a lapsed subscription', () => table(GATE.map(([path, , lapsed]) => [path, session(), closed, gate(lapsed)])));
describe('when the subscription could not be loaded', () =>
  table(GATE.map(([path, , , guardFailed]) => [path, session(), failed, gate(guardFailed)])));
describe('with an overdue payment in the grace period', () => table(GATE.map(([path]) => [path, session(), grace, STAY])));
describe('with an active subscription', () => table(GATE.map(([path]) => [path, session(), present, STAY])));

test('saves the target when redirecting to the subscription', () => {
  for (const facts of [unsubscribed, closed, failed])
    expect(decideRoute(`/${A}/createConnection`, session(), facts)).toMatchObject({ hasToRememberTarget: true });
});

describe('a saved link', () => {
  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', '/a\nb', '/a\\b'])(
    'rejects %j',
    (target) => expect(isRelativeTarget(target)).toBe(false),
  );
  test.each(['/', `/${A}/connection?tab=runs#x`])('accepts %j', (target) => expect(isRelativeTarget(target)).toBe(true));
  test('is described without the name of the resource', () => {
    expect(describeTarget(`/${A}/connection/${B}/configuration`)).toBe('a connection');
    expect(describeTarget('/nowhere')).toBeNull();
  });
});
