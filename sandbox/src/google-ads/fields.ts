/** Selectable fields by name. int64 values are text in JSON, as in Google's mapping of protocol buffers. */
export type FieldType = 'int64' | 'double' | 'text' | 'enum' | 'boolean' | 'date' | 'messages';

/** Lists of messages are given as they appear in JSON. They can be selected, but not filtered or sorted by. */
export type AttributeValue = string | number | boolean | Record<string, unknown>[];

export const resourceNames = [
  'customer',
  'customer_client',
  'campaign',
  'ad_group',
  'ad_group_ad',
  'keyword_view',
  'search_term_view',
  'geographic_view',
  'conversion_action',
  'offline_conversion_upload_conversion_action_summary',
  'offline_conversion_upload_client_summary',
] as const;
export type ResourceName = (typeof resourceNames)[number];

const fieldTypes: Record<string, FieldType> = {
  'customer.resource_name': 'text',
  'customer.id': 'int64',
  'customer.descriptive_name': 'text',
  'customer.currency_code': 'text',
  'customer.time_zone': 'text',
  'customer.manager': 'boolean',
  'customer.test_account': 'boolean',
  'customer.status': 'enum',
  'customer.conversion_tracking_setting.google_ads_conversion_customer': 'text',
  'customer.conversion_tracking_setting.conversion_tracking_id': 'int64',
  'customer.conversion_tracking_setting.cross_account_conversion_tracking_id': 'int64',
  'customer.conversion_tracking_setting.conversion_tracking_status': 'enum',
  'customer.conversion_tracking_setting.accepted_customer_data_terms': 'boolean',
  'customer.conversion_tracking_setting.enhanced_conversions_for_leads_enabled': 'boolean',
  'customer_client.resource_name': 'text',
  'customer_client.id': 'int64',
  'customer_client.client_customer': 'text',
  'customer_client.level': 'int64',
  'customer_client.manager': 'boolean',
  'customer_client.descriptive_name': 'text',
  'customer_client.currency_code': 'text',
  'customer_client.time_zone': 'text',
  'customer_client.status': 'enum',
  'customer_client.hidden': 'boolean',
  'customer_client.test_account': 'boolean',
  'campaign.resource_name': 'text',
  'campaign.id': 'int64',
  'campaign.name': 'text',
  'campaign.status': 'enum',
  'campaign.advertising_channel_type': 'enum',
  'ad_group.resource_name': 'text',
  'ad_group.id': 'int64',
  'ad_group.name': 'text',
  'ad_group.status': 'enum',
  'ad_group.campaign': 'text',
  'ad_group_ad.resource_name': 'text',
  'ad_group_ad.ad.id': 'int64',
  'ad_group_ad.ad.name': 'text',
  'ad_group_ad.ad.type': 'enum',
  'ad_group_ad.status': 'enum',
  'keyword_view.resource_name': 'text',
  'ad_group_criterion.resource_name': 'text',
  'ad_group_criterion.criterion_id': 'int64',
  'ad_group_criterion.keyword.text': 'text',
  'ad_group_criterion.keyword.match_type': 'enum',
  'ad_group_criterion.status': 'enum',
  'search_term_view.resource_name': 'text',
  'search_term_view.search_term': 'text',
  'search_term_view.status': 'enum',
  'geographic_view.resource_name': 'text',
  'geographic_view.country_criterion_id': 'int64',
  'geographic_view.location_type': 'enum',
  'conversion_action.resource_name': 'text',
  'conversion_action.id': 'int64',
  'conversion_action.name': 'text',
  'conversion_action.type': 'enum',
  'conversion_action.status': 'enum',
  'conversion_action.origin': 'enum',
  'conversion_action.primary_for_goal': 'boolean',
  'conversion_action.category': 'enum',
  'conversion_action.counting_type': 'enum',
  'conversion_action.owner_customer': 'text',
  'conversion_action.include_in_conversions_metric': 'boolean',
  'conversion_action.click_through_lookback_window_days': 'int64',
  'conversion_action.view_through_lookback_window_days': 'int64',
  'conversion_action.value_settings.default_value': 'double',
  'conversion_action.value_settings.default_currency_code': 'text',
  'conversion_action.value_settings.always_use_default_value': 'boolean',
  'offline_conversion_upload_conversion_action_summary.conversion_action_id': 'int64',
  'offline_conversion_upload_conversion_action_summary.conversion_action_name': 'text',
  ...summaryFields('offline_conversion_upload_conversion_action_summary'),
  'offline_conversion_upload_client_summary.success_rate': 'double',
  'offline_conversion_upload_client_summary.pending_rate': 'double',
  ...summaryFields('offline_conversion_upload_client_summary'),
  'segments.date': 'date',
  'segments.device': 'enum',
  'segments.ad_network_type': 'enum',
  'segments.conversion_action': 'text',
  'segments.conversion_action_name': 'text',
  'segments.conversion_action_category': 'enum',
  'metrics.impressions': 'int64',
  'metrics.clicks': 'int64',
  'metrics.cost_micros': 'int64',
  'metrics.conversions': 'double',
  'metrics.conversions_value': 'double',
  'metrics.all_conversions': 'double',
  'metrics.all_conversions_value': 'double',
  'metrics.view_through_conversions': 'int64',
};

function summaryFields(resource: string): Record<string, FieldType> {
  return {
    [`${resource}.resource_name`]: 'text',
    [`${resource}.client`]: 'enum',
    [`${resource}.status`]: 'enum',
    [`${resource}.total_event_count`]: 'int64',
    [`${resource}.successful_event_count`]: 'int64',
    [`${resource}.pending_event_count`]: 'int64',
    [`${resource}.last_upload_date_time`]: 'text',
    [`${resource}.daily_summaries`]: 'messages',
    [`${resource}.job_summaries`]: 'messages',
    [`${resource}.alerts`]: 'messages',
  };
}

/** The resources allowed in FROM. */
export const attributedResources: Record<ResourceName, readonly string[]> = {
  customer: ['customer'],
  customer_client: ['customer_client', 'customer'],
  campaign: ['campaign', 'customer'],
  ad_group: ['ad_group', 'campaign', 'customer'],
  ad_group_ad: ['ad_group_ad', 'ad_group', 'campaign', 'customer'],
  keyword_view: ['keyword_view', 'ad_group_criterion', 'ad_group', 'campaign', 'customer'],
  search_term_view: ['search_term_view', 'ad_group', 'campaign', 'customer'],
  geographic_view: ['geographic_view', 'campaign', 'customer'],
  conversion_action: ['conversion_action', 'customer'],
  offline_conversion_upload_conversion_action_summary: ['offline_conversion_upload_conversion_action_summary', 'customer'],
  offline_conversion_upload_client_summary: ['offline_conversion_upload_client_summary', 'customer'],
};

/** Resources that are split by ad group or finer. */
export const adGroupResources: readonly string[] = ['ad_group', 'ad_group_ad', 'keyword_view', 'search_term_view'];
export const resourcesWithMetrics: readonly string[] = ['customer', 'campaign', 'geographic_view', ...adGroupResources];

export function fieldTypeOf(name: string): FieldType | undefined {
  return Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined;
}

/** 'ad_group.final_url_suffix' becomes 'adGroup.finalUrlSuffix'. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
