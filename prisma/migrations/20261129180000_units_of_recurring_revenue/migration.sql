SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- The amounts were null: the stored currencies have no decimals, which the API adds when it reads them.
CREATE OR REPLACE VIEW reporting.recurring_revenue_v1 AS
select q.organization_id,
       q.payment_id,
       q.day,
       q.definition_version,
       amount->>'currency' as currency,
       (amount->>'amountMinor')::numeric / unit.parts as amount,
       (amount->>'pastDueMinor')::numeric / unit.parts as past_due,
       (amount->>'endingMinor')::numeric / unit.parts as ending,
       (amount->>'subscriptions')::int as subscriptions,
       q.computed_at
  from payment_recurring_revenues q
 cross join lateral jsonb_array_elements(q.currencies) amount
 cross join lateral (
    -- As decimalsOf of the API (backend/src/connectors/stripe/money.ts).
    select case when upper(amount->>'currency') in ('BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 1::numeric
                when upper(amount->>'currency') in ('BHD', 'JOD', 'KWD', 'OMR', 'TND') then 1000::numeric
                else 100::numeric end as parts) unit;
