SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- `payments.last_event_at` is only set by webhooks and by the search for missing ones, so it stayed null for events that runs loaded.
CREATE OR REPLACE VIEW reporting.payments_v1 AS
select p.organization_id,
       p.id as payment_id,
       p.name,
       p.desired::text as desired_state,
       p.amount_mode::text as amount_mode,
       p.history_from,
       (select count(*)::int from connections c where c.organization_id = p.organization_id and c.payment_id = p.id and c.deleted_at is null) as connections,
       greatest(p.last_event_at,
                (select max(v.day)::timestamp at time zone 'UTC' from connections c
                   join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id and v.rows > 0
                  where c.organization_id = p.organization_id and c.payment_id = p.id and c.deleted_at is null))::timestamptz(3) as last_event_at,
       p.last_webhook_at,
       p.webhook_missing_since,
       p.created_at
  from payments p
  join organizations o on o.id = p.organization_id and o.deleted_at is null
 where p.deleted_at is null;
COMMENT ON COLUMN reporting.payments_v1.last_event_at IS 'Time of the newest event, or 00:00 UTC of its day if only the day is known; null: none yet.';
