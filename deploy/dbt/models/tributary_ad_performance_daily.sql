{{ config(enabled='ad_performance_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost,
    t.converted_cost_micros / 1e6 as converted_cost
from {{ source('tributary', 'ad_performance_daily') }} as t
