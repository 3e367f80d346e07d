{{ config(enabled='google_ads_conversion_action_daily' in var('tributary_tables')) }}

select
    t.*
from {{ source('tributary', 'google_ads_conversion_action_daily') }} as t
