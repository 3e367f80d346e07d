import type { AlertPage } from '../src/alerts/alerts.dto.js';
import { Secrets } from '../src/core/encryption/secrets.js';
import type { Mail } from '../src/core/outbox/mail.js';
import type { TestApp } from './app.js';
import { eventually, type Organization } from './factories.js';

export const alertsOf = async (organization: Organization, query = ''): Promise<AlertPage> =>
  (await organization.call.get<AlertPage>(`${organization.path}/alerts${query}`)).body;

/** Waits until all jobs that domain events caused are done. */
export const untilEventsDelivered = (app: TestApp) =>
  eventually(
    () => app.database.query(`select from graphile_worker.jobs where task_identifier = 'deliver-event'`),
    (jobs) => jobs.length === 0,
  );

/** Mails about alerts in the order in which they were stored. Their content is kept until they are delivered. */
export async function alertMailsOf(app: TestApp, organizationId: string): Promise<(Mail & { name: string })[]> {
  const rows = await app.database.query<{ name: string; content: string }>(
    `select name, content from outbox_messages where organization_id = $1 and name like 'alert-%' order by id`,
    [organizationId],
  );
  return rows.map(({ name, content }) => ({ name, ...(app.get(Secrets).unwrap('outbox', content) as Mail) }));
}

/** Failed runs of a connection, the last one now and each of the others earlier by `everyMinutes`. */
export const addFailedRuns = (app: TestApp, connectionId: string, count: number, everyMinutes: number) =>
  app.database.query(
    `insert into runs (organization_id, id, connection_id, kind, trigger, state, failure, queued_at, ended_at)
     select c.organization_id, gen_random_uuid(), c.id, 'scheduled', 'schedule', 'failed',
            '{"class": "permission", "code": "google_ads.denied", "message": "No access.", "action": "Grant access", "providerRequestId": null}',
            clock_timestamp() - make_interval(mins => number * $3), clock_timestamp() - make_interval(mins => number * $3)
       from connections c, generate_series(0, $2::int - 1) number where c.id = $1`,
    [connectionId, count, everyMinutes],
  );

/** Failed runs of a conversion before its newest one, `everyMinutes` apart. */
export const addFailedConversionRuns = (app: TestApp, conversionId: string, count: number, everyMinutes: number) =>
  app.database.query(
    `insert into conversion_runs (organization_id, id, conversion_id, state, failure, started_at, ended_at)
     select c.organization_id, gen_random_uuid(), c.id, 'failed',
            '{"class": "config", "code": "google_data_manager.action_invalid", "message": "Not accepted.", "action": "Choose another conversion action", "providerRequestId": null}',
            clock_timestamp() - make_interval(mins => number * $3), clock_timestamp() - make_interval(mins => number * $3)
       from conversions c, generate_series(1, $2::int) number where c.id = $1`,
    [conversionId, count, everyMinutes],
  );
