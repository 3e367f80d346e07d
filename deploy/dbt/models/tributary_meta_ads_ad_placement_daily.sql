{{ config(enabled='meta_ads_ad_placement_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost,
    t.purchase_value_micros / 1e6 as purchase_value
from {{ source('tributary', 'meta_ads_ad_placement_daily') }} as t
