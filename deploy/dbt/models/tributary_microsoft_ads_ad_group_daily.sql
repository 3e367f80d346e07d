{{ config(enabled='microsoft_ads_ad_group_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost{% if not ('microsoft_ads_ad_group_daily.conversions_value_micros' in var('tributary_excluded_columns')) %},
    t.conversions_value_micros / 1e6 as conversions_value{% endif %}{% if not ('microsoft_ads_ad_group_daily.all_conversions_value_micros' in var('tributary_excluded_columns')) %},
    t.all_conversions_value_micros / 1e6 as all_conversions_value{% endif %}
from {{ source('tributary', 'microsoft_ads_ad_group_daily') }} as t
