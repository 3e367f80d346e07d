{{ config(enabled='meta_ads_campaign_actions_daily' in var('tributary_tables')) }}

select
    t.*{% if not ('meta_ads_campaign_actions_daily.action_value_micros' in var('tributary_excluded_columns')) %},
    t.action_value_micros / 1e6 as action_value{% endif %}
from {{ source('tributary', 'meta_ads_campaign_actions_daily') }} as t
