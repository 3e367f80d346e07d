{{ config(enabled='microsoft_ads_ad_group_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost,
    t.conversions_value_micros / 1e6 as conversions_value,
    t.all_conversions_value_micros / 1e6 as all_conversions_value
from {{ source('tributary', 'microsoft_ads_ad_group_daily') }} as t
