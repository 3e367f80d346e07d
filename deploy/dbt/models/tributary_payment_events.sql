{{ config(enabled='payment_events' in var('tributary_tables')) }}

select
    t.*,
    t.amount_micros / 1e6 as amount
from {{ source('tributary', 'payment_events') }} as t
