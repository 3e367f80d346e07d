// SQL: parts of the statements that list alerts.

/** Name of an alert's subject, for `alerts a`. The name of a purged subject is unknown. */
export const SUBJECT_NAME = `coalesce(
  case a.subject_type
    when 'connection' then (select c.name from connections c where c.organization_id = a.organization_id and c.id = a.subject_id)
    when 'app' then (select p.display_name from apps p where p.organization_id = a.organization_id and p.id = a.subject_id)
    when 'destination' then (select d.name from destinations d where d.organization_id = a.organization_id and d.id = a.subject_id)
    when 'webhook_endpoint' then (select w.name from webhook_endpoints w where w.organization_id = a.organization_id and w.id = a.subject_id)
    when 'conversion' then (select c.name from conversions c where c.organization_id = a.organization_id and c.id = a.subject_id)
    when 'payment' then (select p.name from payments p where p.organization_id = a.organization_id and p.id = a.subject_id)
  end, 'A deleted resource')`;

/** The payment that the connection of `alerts a` belongs to. Null: another subject, or a connection of its own. */
export const SUBJECT_PAYMENT = `(select c.payment_id from connections c
  where a.subject_type = 'connection' and c.organization_id = a.organization_id and c.id = a.subject_id)`;
