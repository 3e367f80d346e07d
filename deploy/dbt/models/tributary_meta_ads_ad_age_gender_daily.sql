{{ config(enabled='meta_ads_ad_age_gender_daily' in var('tributary_tables')) }}

select
    t.*,
    t.cost_micros / 1e6 as cost{% if not ('meta_ads_ad_age_gender_daily.purchase_value_micros' in var('tributary_excluded_columns')) %},
    t.purchase_value_micros / 1e6 as purchase_value{% endif %}
from {{ source('tributary', 'meta_ads_ad_age_gender_daily') }} as t
