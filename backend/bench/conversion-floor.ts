import { mapRecord, type Mapping } from '../src/conversions/settings/mapping.js';
import { googleConversionTarget } from '../src/connectors/google-data-manager/target.js';
import type { GoogleConversionAction } from '../src/connectors/google-data-manager/request.js';
import type { PreparedEvent } from '../src/connectors/kit/conversion.js';
import { postgresqlConversionSource } from '../src/connectors/postgresql/source/index.js';
import type { Login } from './engine.js';
import { signIn } from './sign-in.js';

const BATCH = 2_000;

interface Parts {
  sandboxUrl: string;
  login: Login;
  query: Record<string, unknown>;
  mapping: Mapping;
  action: GoogleConversionAction;
}

/** Reads, prepares and sends all orders with the connectors only. Returns the seconds. */
export async function sendWithoutLedger({ sandboxUrl, login, query, mapping, action }: Parts): Promise<number> {
  const token = await signIn(sandboxUrl, 'demo@example.com', 'https://www.googleapis.com/auth/datamanager');
  const { password, ...place } = login;
  const source = postgresqlConversionSource({ allowed: ['127.0.0.0/8'] }).open(
    query,
    { ...place, schema: 'public', sslMode: 'disable', tablePrefix: '' },
    { authMode: 'password', credentials: { password } },
  );
  const policy = { onUnknownConsent: 'block', defaultCountry: null, hashesExternalId: true } as const;
  const target = googleConversionTarget(
    { baseUrl: `${sandboxUrl}/data-manager` },
    { accessToken: () => Promise.resolve(token) },
    { ...action, transactionIdPrefix: 'floor-' },
    policy,
  );
  const context = { signal: new AbortController().signal, onRequest: () => undefined };
  const begun = performance.now();
  let batch: PreparedEvent[] = [];
  for await (const { records } of source.read(context, null, new Date(0))) {
    for (const record of records) {
      const { occurredAt, adjusts: _, ...event } = mapRecord(record, mapping, []);
      const prepared = target.prepare({ ...event, occurredAt: occurredAt ?? new Date() }, new Date());
      if (prepared.state === 'eligible') batch.push(prepared);
    }
    if (batch.length < BATCH) continue;
    await target.send(context, batch.slice(0, BATCH));
    batch = batch.slice(BATCH);
  }
  if (batch.length > 0) await target.send(context, batch);
  await source.close();
  return (performance.now() - begun) / 1_000;
}
