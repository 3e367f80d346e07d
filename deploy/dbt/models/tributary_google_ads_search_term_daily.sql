{{ config(enabled='google_ads_search_term_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost
from {{ source('tributary', 'google_ads_search_term_daily') }} as t
