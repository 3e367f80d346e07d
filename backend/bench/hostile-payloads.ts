import { gzipSync } from 'node:zlib';
import { type HostileBehavior, startHostilePostgres } from '../test/hostile-postgres.js';

/** A malicious client: a user with their own organization, and a custom app in it with its push key. */
export interface Attacker {
  url: string;
  token: string;
  organizationId: string;
  push: { url: string; key: string; settingsUrl: string; setSchema: (schema: object) => Promise<void> };
}

export interface HostileCall {
  method: 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** One kind of expensive request. It is sent `times` times, `atOnce` in parallel, and must not delay other clients. */
export interface Scenario {
  name: string;
  times: number;
  atOnce: number;
  /** Prepares and returns the request. */
  calls: (attacker: Attacker) => Promise<HostileCall & { stop?: () => Promise<void> }>;
}

const repeat = (text: string, count: number): string => Array.from({ length: count }, () => text).join(',');
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const fields = (count: number): string => JSON.stringify(Object.fromEntries(numbers(count).map((index) => [`k${index}`, 1])));
const distinct = (count: number): string => JSON.stringify(numbers(count).map((index) => `s${index}`));

/** Just below the limit of 64 kB, and far above it. */
const SIZES = [
  { size: '60 kB', count: 6_000 },
  { size: '1 MB', count: 80_000 },
];

const signedIn = ({ url, token }: Attacker, path: string, body: string | Uint8Array): HostileCall => ({
  method: 'POST',
  url: `${url}${path}`,
  headers: { authorization: `Bearer ${token}` },
  body,
});

const bodies: Scenario[] = SIZES.flatMap(({ size, count }) => [
  ...(
    [
      ['unknown fields', () => fields(count)],
      ['a list of different texts', () => `{"name":"x","sourceId":"x","streams":${distinct(count)}}`],
      ['a list of one text', () => `{"name":"x","streams":[${repeat('"a"', count * 2)}]}`],
      ['a list of empty objects', () => `{"name":"x","leftOut":[${repeat('{}', count * 3)}]}`],
      ['nested lists', () => `{"name":${'['.repeat(count * 5)}${']'.repeat(count * 5)}}`],
      ['nested objects', () => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`],
    ] as const
  ).map(([what, body]): Scenario => ({
    name: `${what}, ${size}`,
    times: 8,
    atOnce: 4,
    calls: async (attacker) => signedIn(attacker, `/api/v1/organizations/${attacker.organizationId}/connections`, body()),
  })),
  {
    name: `unknown fields without a sign-in, ${size}`,
    times: 40,
    atOnce: 10,
    calls: async ({ url }) => ({ method: 'POST', url: `${url}/api/getOrSaveUser`, headers: {}, body: fields(count) }),
  },
]);

const accepted: Scenario[] = [
  {
    name: 'the maximum of fields, items and values',
    times: 40,
    atOnce: 10,
    calls: async (attacker) => {
      const columns = numbers(150).map((index) => `c${index}`);
      const leftOut = numbers(45).map((index) => ({ stream: `s${index}`, columns }));
      const unknown = Object.fromEntries(numbers(150).map((index) => [`k${index}`, 1]));
      const body = JSON.stringify({ ...unknown, name: 'x', streams: numbers(990).map(String), leftOut });
      return signedIn(attacker, `/api/v1/organizations/${attacker.organizationId}/connections`, body);
    },
  },
  {
    name: 'a gzip bomb of 200 MB',
    times: 10,
    atOnce: 5,
    calls: async (attacker) => {
      const call = signedIn(attacker, '/api/createOrganization', gzipSync(Buffer.alloc(200_000_000, ' ')));
      return { ...call, headers: { ...call.headers, 'content-encoding': 'gzip' } };
    },
  },
];

const push = ({ push: { url, key } }: Attacker, body: string): HostileCall => ({
  method: 'POST',
  url,
  headers: { authorization: `Bearer ${key}` },
  body,
});

const pushes: Scenario[] = [
  {
    name: 'push of 1,000 events that do not match a schema of 20 kB',
    times: 10,
    atOnce: 4,
    calls: async (attacker) => {
      const required = numbers(190).map((index) => `required${index}`);
      const values = numbers(900).map((index) => `value ${index}`);
      await attacker.push.setSchema({ required, properties: { a: { items: { enum: values } } } });
      return push(attacker, JSON.stringify(numbers(1_000).map(() => ({ a: numbers(80) }))));
    },
  },
  {
    name: 'push of 200,000 values that are not in an enum',
    times: 10,
    atOnce: 4,
    calls: async (attacker) => {
      const values = numbers(900).map((index) => `value ${index}`);
      await attacker.push.setSchema({ properties: { a: { items: { enum: values } } } });
      return push(attacker, `[${repeat(`{"a":[${repeat('"x"', 200)}]}`, 1_000)}]`);
    },
  },
  {
    name: 'push of 1,000 valid events of 1 kB',
    times: 20,
    atOnce: 4,
    calls: async (attacker) => {
      await attacker.push.setSchema({ properties: { a: { type: 'string' } } });
      return push(attacker, JSON.stringify(numbers(1_000).map((index) => ({ index, a: 'x'.repeat(900) }))));
    },
  },
  {
    name: 'push of nested lists, 1 MB',
    times: 10,
    atOnce: 4,
    calls: async (attacker) => push(attacker, `[{"a":${'['.repeat(450_000)}${']'.repeat(450_000)}}]`),
  },
  {
    name: 'push of 95,000 values',
    times: 10,
    atOnce: 4,
    calls: async (attacker) => push(attacker, `[${repeat(`{"a":[${repeat('1', 95)}]}`, 990)}]`),
  },
  {
    name: 'push of 1 MB without a valid key',
    times: 100,
    atOnce: 50,
    calls: async (attacker) => ({ ...push(attacker, 'x'.repeat(990_000)), headers: { authorization: 'Bearer trp_wrong' } }),
  },
];

/** A customer may enter any server as a destination, and have the API check it. */
const BEHAVIOURS: HostileBehavior[] = [
  'endless_rows',
  'huge_message',
  'endless_notices',
  'slow_drip',
  'amplified_rows',
  'unterminated_error',
  'overlapping_fields',
  'long_texts',
];

const servers: Scenario[] = BEHAVIOURS.map((behaviour) => ({
  name: `check of a PostgreSQL server that sends ${behaviour.replaceAll('_', ' ')}`,
  times: 8,
  atOnce: 4,
  calls: async (attacker) => {
    const server = await startHostilePostgres(behaviour);
    const settings = { host: '127.0.0.1', port: server.port, database: 'd', user: 'u', sslMode: 'disable' };
    const body = JSON.stringify({ provider: 'postgresql', settings, credentials: { password: 'p' } });
    const call = signedIn(attacker, `/api/v1/organizations/${attacker.organizationId}/destinations/check`, body);
    return { ...call, stop: () => server.stop() };
  },
}));

/** Add new scenarios to these groups. */
export const SCENARIOS: readonly Scenario[] = [...bodies, ...accepted, ...pushes, ...servers];
