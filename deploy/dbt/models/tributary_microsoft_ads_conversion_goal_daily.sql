{{ config(enabled='microsoft_ads_conversion_goal_daily' in var('tributary_tables')) }}

select
    t.*{% if not ('microsoft_ads_conversion_goal_daily.all_conversions_value_micros' in var('tributary_excluded_columns')) %},
    t.all_conversions_value_micros / 1e6 as all_conversions_value{% endif %}
from {{ source('tributary', 'microsoft_ads_conversion_goal_daily') }} as t
