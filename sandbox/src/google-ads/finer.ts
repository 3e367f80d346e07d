import type { AdGroup, Campaign } from './campaigns.ts';
import type { AttributeValue, ResourceName } from './fields.ts';
import { metricCount } from './numbers.ts';

/** A part of the traffic of an ad group or campaign. Parts are ranges of its cumulative share, so they sum exactly. */
export interface Share {
  from: number;
  to: number;
}

/** The parts in reports below the ad group level, with their attributes. */
export interface Part {
  share: Share;
  values: Record<string, AttributeValue>;
  /** Counted in the report's summary row but not listed. */
  isHidden?: boolean;
}

const whole = (parts: number[]): Share[] => parts.map((to, index) => ({ from: parts[index - 1] ?? 0, to }));

const adTypes = ['RESPONSIVE_SEARCH_AD', 'EXPANDED_TEXT_AD'];
const keywords = [
  { text: 'rain jacket', matchType: 'BROAD' },
  { text: 'jacket "waterproof"', matchType: 'PHRASE' },
  { text: 'Regenjacke größe xl', matchType: 'EXACT' },
];
const searchTerms = ['rain jacket women', 'best jackets 2026, tested', '雨 ジャケット'];
/**
 * Criterion ids of countries: Germany, United States, Japan. The last place has none, because the field is optional (v25 proto).
 */
const countries = [2276, 2840, 2392, undefined];
const conversionShares = whole([0.7, 1]);

/** Ads, keywords and search terms of one ad group. */
export function partsOfAdGroup(resource: ResourceName, campaign: Campaign, adGroup: AdGroup): Part[] {
  const isSearch = campaign.channelType === 'SEARCH';
  switch (resource) {
    case 'ad_group_ad':
      return whole([0.6, 1]).map((share, index) => ({ share, values: adValues(adGroup, index) }));
    case 'keyword_view':
      return isSearch ? whole([0.5, 0.8, 1]).map((share, index) => ({ share, values: keywordValues(adGroup, index) })) : [];
    case 'search_term_view':
      return isSearch ? whole([0.4, 0.65, 0.8, 1]).map((share, index) => termPart(adGroup, share, index)) : [];
    default:
      return [{ share: { from: 0, to: 1 }, values: {} }];
  }
}

export function partsOfCampaign(resource: ResourceName, campaign: Campaign): Part[] {
  if (resource !== 'geographic_view') return [{ share: { from: 0, to: 1 }, values: {} }];
  return whole([0.7, 0.85, 0.95, 1]).map((share, index) => ({ share, values: placeValues(campaign, index) }));
}

function adValues(adGroup: AdGroup, index: number): Record<string, AttributeValue> {
  const id = `${adGroup.id}${index + 1}`;
  return {
    'ad_group_ad.resource_name': `adGroupAds/${adGroup.id}~${id}`,
    'ad_group_ad.ad.id': id,
    'ad_group_ad.ad.name': index === 0 ? `${adGroup.name} ad` : '',
    'ad_group_ad.ad.type': adTypes[index] ?? '',
    'ad_group_ad.status': index === 0 ? 'ENABLED' : 'PAUSED',
  };
}

function keywordValues(adGroup: AdGroup, index: number): Record<string, AttributeValue> {
  const id = `${adGroup.id}${index + 5}`;
  return {
    'keyword_view.resource_name': `keywordViews/${adGroup.id}~${id}`,
    'ad_group_criterion.resource_name': `adGroupCriteria/${adGroup.id}~${id}`,
    'ad_group_criterion.criterion_id': id,
    'ad_group_criterion.keyword.text': keywords[index]?.text ?? '',
    'ad_group_criterion.keyword.match_type': keywords[index]?.matchType ?? '',
    'ad_group_criterion.status': index === 2 ? 'PAUSED' : 'ENABLED',
  };
}

/**
 * The last fifth of the traffic is from rare terms. They are not listed but counted in the summary row (google-ads-dotnet #474).
 */
function termPart(adGroup: AdGroup, share: Share, index: number): Part {
  return index < searchTerms.length ? { share, values: termValues(adGroup, index) } : { share, values: {}, isHidden: true };
}

function termValues(adGroup: AdGroup, index: number): Record<string, AttributeValue> {
  return {
    'search_term_view.resource_name': `searchTermViews/${adGroup.id}~${index}`,
    'search_term_view.search_term': searchTerms[index] ?? '',
    'search_term_view.status': index === 0 ? 'ADDED' : 'NONE',
  };
}

function placeValues(campaign: Campaign, index: number): Record<string, AttributeValue> {
  return {
    'geographic_view.resource_name': `geographicViews/${campaign.id}~${countries[index] ?? 0}`,
    ...(countries[index] && { 'geographic_view.country_criterion_id': String(countries[index]) }),
    'geographic_view.location_type': index === 2 ? 'AREA_OF_INTEREST' : 'LOCATION_OF_PRESENCE',
  };
}

/** Splits whole numbers into whole parts that sum to the row. */
export function shareOf(metrics: Float64Array, { from, to }: Share): Float64Array {
  return metrics.map((value) => Math.floor(value * to) - Math.floor(value * from));
}

/** Conversions of one action. Cost, clicks and impressions are not available by action. */
export function conversionsOf(metrics: Float64Array, action: number): Float64Array {
  const share = conversionShares[action] ?? { from: 0, to: 0 };
  const conversions = shareOf(metrics, share);
  conversions.fill(0, 0, 3);
  // View-through conversions are not available by action.
  conversions[metricCount - 1] = 0;
  return conversions;
}

export const conversionActionCount = conversionShares.length;
