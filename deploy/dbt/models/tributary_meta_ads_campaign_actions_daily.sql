{{ config(enabled='meta_ads_campaign_actions_daily' in var('tributary_tables')) }}

select
    t.*,
    t.action_value_micros / 1e6 as action_value
from {{ source('tributary', 'meta_ads_campaign_actions_daily') }} as t
