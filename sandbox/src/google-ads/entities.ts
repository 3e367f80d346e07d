import { accounts, type Account, type User } from './accounts.ts';
import { conversionActionValues, conversionCustomerOf } from './conversion-actions.ts';
import { campaignsOf, type AdGroup, type Campaign } from './campaigns.ts';
import { adGroupResources, type AttributeValue, type ResourceName } from './fields.ts';
import { partsOfAdGroup, partsOfCampaign, type Part, type Share } from './finer.ts';
import type { ReadContext } from './read-context.ts';
import { actionSummaries, clientSummaries } from './upload-summaries.ts';

/** One entity of a query, with the values of all its attributes by full field name. */
export interface Entity {
  values: Record<string, AttributeValue>;
  /** Its share of the traffic of its ad group or campaign. */
  share?: Share;
  /** Counted in the summary row but not listed. */
  isHidden?: boolean;
}

export function entitiesOf(resource: ResourceName, { account, user, uploads, now }: ReadContext): Entity[] {
  const customer = customerValues(account);
  const entity = (values: Record<string, AttributeValue>): Entity => ({ values: { ...values, ...customer } });
  switch (resource) {
    case 'customer':
      return [{ values: customer }];
    case 'customer_client':
      return clientsOf(account, user).map((client, index) => entity(clientValues(account, client, index === 0 ? 0 : 1)));
    case 'conversion_action':
      return conversionActionValues(account).map(entity);
    case 'offline_conversion_upload_conversion_action_summary':
      return actionSummaries(account, uploads, now).map(entity);
    case 'offline_conversion_upload_client_summary':
      return clientSummaries(account, uploads, now).map(entity);
    default:
      return campaignsOf(account).flatMap((campaign) => slotsOf(resource, account, campaign).flat());
  }
}

/** The entities of a campaign's traffic: by ad group or as one, with parts if the report is finer. */
export function slotsOf(resource: ResourceName, account: Account, campaign: Campaign): Entity[][] {
  const values = { ...customerValues(account), ...campaignValues(account, campaign) };
  const entity = (own: Record<string, AttributeValue>, part: Part): Entity => ({
    values: { ...own, ...part.values },
    ...(part.share.to - part.share.from < 1 && { share: part.share }),
    ...(part.isHidden && { isHidden: true }),
  });
  if (!adGroupResources.includes(resource)) return [partsOfCampaign(resource, campaign).map((part) => entity(values, part))];
  return campaign.adGroups.map((adGroup) => {
    const own = { ...values, ...adGroupValues(account, campaign, adGroup) };
    return partsOfAdGroup(resource, campaign, adGroup).map((part) => entity(own, part));
  });
}

/** The account itself and the accounts it manages that the user can see. */
function clientsOf(account: Account, user: User): Account[] {
  const clientIds = user.clientAccountIds[account.id] ?? [];
  return [account, ...clientIds.flatMap((id) => accounts.get(id) ?? [])];
}

function customerValues(account: Account): Record<string, AttributeValue> {
  const owner = conversionCustomerOf(account);
  const tracking = 'customer.conversion_tracking_setting';
  return {
    'customer.resource_name': `customers/${account.id}`,
    'customer.id': account.id,
    'customer.descriptive_name': account.descriptiveName,
    'customer.currency_code': account.currencyCode,
    'customer.time_zone': account.timeZone,
    'customer.manager': account.isManager,
    'customer.test_account': false,
    'customer.status': account.status,
    [`${tracking}.google_ads_conversion_customer`]: `customers/${owner.id}`,
    [`${tracking}.conversion_tracking_id`]: `8${account.id.slice(1)}`,
    ...(owner !== account && { [`${tracking}.cross_account_conversion_tracking_id`]: `8${owner.id.slice(1)}` }),
    [`${tracking}.conversion_tracking_status`]:
      owner === account ? 'CONVERSION_TRACKING_MANAGED_BY_SELF' : 'CONVERSION_TRACKING_MANAGED_BY_THIS_MANAGER',
    [`${tracking}.accepted_customer_data_terms`]: owner.hasAcceptedCustomerDataTerms,
    [`${tracking}.enhanced_conversions_for_leads_enabled`]: owner.hasEnhancedConversionsForLeads,
  };
}

function clientValues(parent: Account, client: Account, level: number): Record<string, AttributeValue> {
  return {
    'customer_client.resource_name': `customers/${parent.id}/customerClients/${client.id}`,
    'customer_client.id': client.id,
    'customer_client.client_customer': `customers/${client.id}`,
    'customer_client.level': level,
    'customer_client.manager': client.isManager,
    'customer_client.descriptive_name': client.descriptiveName,
    'customer_client.currency_code': client.currencyCode,
    'customer_client.time_zone': client.timeZone,
    'customer_client.status': client.status,
    'customer_client.hidden': false,
    'customer_client.test_account': false,
  };
}

function campaignValues(account: Account, campaign: Campaign): Record<string, AttributeValue> {
  return {
    'campaign.resource_name': `customers/${account.id}/campaigns/${campaign.id}`,
    'campaign.id': campaign.id,
    'campaign.name': campaign.name,
    'campaign.status': campaign.status,
    'campaign.advertising_channel_type': campaign.channelType,
  };
}

function adGroupValues(account: Account, campaign: Campaign, adGroup: AdGroup): Record<string, AttributeValue> {
  return {
    'ad_group.resource_name': `customers/${account.id}/adGroups/${adGroup.id}`,
    'ad_group.id': adGroup.id,
    'ad_group.name': adGroup.name,
    'ad_group.status': adGroup.status,
    'ad_group.campaign': `customers/${account.id}/campaigns/${campaign.id}`,
  };
}
