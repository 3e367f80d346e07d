{{ config(enabled='microsoft_ads_conversion_goal_daily' in var('tributary_tables')) }}

select
    t.*,
    t.all_conversions_value_micros / 1e6 as all_conversions_value
from {{ source('tributary', 'microsoft_ads_conversion_goal_daily') }} as t
