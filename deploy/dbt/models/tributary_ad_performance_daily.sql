{{ config(enabled='ad_performance_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost{% if not ('ad_performance_daily.converted_cost_micros' in var('tributary_excluded_columns')) %},
    t.converted_cost_micros / 1e6 as converted_cost{% endif %}
from {{ source('tributary', 'ad_performance_daily') }} as t
