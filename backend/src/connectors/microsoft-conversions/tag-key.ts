import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { FixSettings } from '../kit/errors.js';
import type { CampaignApi } from './campaign-api.js';
import { toConnectorError, unexpectedAnswer } from './errors.js';
import type { UetGoalSettings } from './settings.js';

/**
 * Documented in two shapes: the reference and the generated client write `UetTagAuthKey`, the guide of the Conversions API
 * `TagAuthKey.AuthKey`.
 */
const answerSchema = z.object({
  UetTagAuthKey: z.string().nullish(),
  TagAuthKey: z.union([z.string(), z.object({ AuthKey: z.string().nullish() })]).nullish(),
});

const requests = [(tagId: string) => ({ UetTagId: tagId }), (tagId: string) => ({ TagId: tagId })];

/** The key of a tag, which is sent instead of a sign-in. Only the owner of a tag can create its first key. */
export async function readTagKey(api: CampaignApi, context: ConnectorContext, goal: UetGoalSettings): Promise<string> {
  for (const request of requests) {
    const answer = await api.call(context, goal, 'UetTagAuthKey/Query', request(goal.tagId));
    if (answer.failure) throw toConnectorError(answer.failure);
    const parsed = answerSchema.safeParse(answer.body);
    if (!parsed.success) throw unexpectedAnswer('the key of a UET tag');
    const { UetTagAuthKey, TagAuthKey } = parsed.data;
    const key = UetTagAuthKey ?? (typeof TagAuthKey === 'string' ? TagAuthKey : TagAuthKey?.AuthKey);
    if (key) return key;
  }
  throw new FixSettings({
    code: 'microsoft_conversions.tag_without_key',
    message: 'The UET tag was not found, or has no key for the Conversions API.',
    action: 'Choose another goal, or ask the owner of the tag to enable the Conversions API',
  });
}
