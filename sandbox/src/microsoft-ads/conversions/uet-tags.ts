import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../router.ts';
import { accounts, type Account } from '../accounts.ts';
import { notAuthorized } from '../errors.ts';
import { strike } from '../faults.ts';
import type { MicrosoftAdsState } from '../state.ts';
import { batchError, occasionOf, type ErrorName } from './batch-errors.ts';
import type { ReceivedRows } from './received-rows.ts';

type Json = Record<string, unknown>;

/** A UET tag. Every account has one. */
export interface UetTag {
  id: string;
  name: string;
  accountId: string;
  ownerCustomerId: string;
  /** A customer with which the tag is shared. It can read an existing key and cannot create one. */
  sharedWith: string | null;
}

const sharedAccountId = '180500020';

export const uetTags: ReadonlyMap<string, UetTag> = new Map(
  [...accounts.values()].map((account) => {
    const id = account.id.slice(1);
    const sharedWith = account.id === sharedAccountId ? '160100001' : null;
    return [id, { id, name: `${account.name} site`, accountId: account.id, ownerCustomerId: account.customerId, sharedWith }];
  }),
);

function visibleTags({ customerId }: Account): UetTag[] {
  return [...uetTags.values()].filter((tag) => tag.ownerCustomerId === customerId || tag.sharedWith === customerId);
}

/** UetTags/QueryByIds: without ids, all tags of the customer. */
export function tagsByIds(account: Account, body: Json): Json {
  const visible = visibleTags(account);
  const ids: unknown[] = Array.isArray(body.TagIds) && body.TagIds.length > 0 ? body.TagIds : visible.map(({ id }) => id);
  const found = ids.map((id) => visible.find((tag) => tag.id === String(id)) ?? null);
  return {
    PartialErrors: found.flatMap((tag, index) => (tag ? [] : [batchError(index, 'InvalidUetTagId')])),
    UetTags: found.map((tag) => (tag ? tagJson(tag) : null)),
  };
}

function tagJson(tag: UetTag): Json {
  return {
    CustomerShare: { CustomerAccountShares: [], OwnerCustomerId: tag.ownerCustomerId },
    Description: null,
    Id: tag.id,
    Name: tag.name,
    TrackingNoScript: null,
    TrackingScript: null,
    TrackingStatus: 'Active',
  };
}

/**
 * UetTagAuthKey/Query. The reference and the generated client write UetTagId and UetTagAuthKey, the guide of the Conversions API
 * TagId and TagAuthKey.AuthKey. By a fault, the guide is right.
 */
export function tagKey(state: MicrosoftAdsState, received: ReceivedRows, exchange: Exchange, account: Account, body: Json): Json {
  const isGuide = strike(state.faults, exchange, 'guide_key_format', occasionOf(exchange, 'tag_key')) !== undefined;
  const id = isGuide ? body.TagId : body.UetTagId;
  const answer = (key: string | null, errors: ErrorName[]): Json => ({
    ...(isGuide ? { TagAuthKey: key === null ? null : { AuthKey: key } } : { UetTagAuthKey: key }),
    PartialErrors: errors.map((name) => batchError(0, name)),
  });
  if (id === undefined || id === null) return answer(null, ['UetTagIdIsNull']);
  const tag = visibleTags(account).find((one) => one.id === String(id as string | number));
  if (!tag) return answer(null, ['InvalidUetTagId']);
  const existing = received.keys.get(tag.id);
  if (existing !== undefined) return answer(existing, []);
  if (tag.ownerCustomerId !== account.customerId) throw notAuthorized();
  return answer(renewKey(received, tag.id), []);
}

/** From now on, the tag has only this key. */
export function renewKey(received: ReceivedRows, tagId: string): string {
  const key = randomUUID();
  received.add({ tagId, key });
  return key;
}
