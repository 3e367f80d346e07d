{{ config(enabled='custom_events' in var('tributary_tables')) }}

select
    t.*
from {{ source('tributary', 'custom_events') }} as t
