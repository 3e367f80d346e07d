import { z } from 'zod';

/** Set by the operator. Addresses have no slash at the end. */
export interface MicrosoftConversionsSettings {
  /** `https://campaign.api.bingads.microsoft.com` */
  campaignManagementUrl: string;
  /** `https://capi.uet.microsoft.com` */
  uetUrl: string;
  developerToken: string;
}

const id = z.string().regex(/^\d{1,20}$/, 'must contain digits only');
const account = { accountId: id, customerId: id };
const goalName = z.string().min(1).max(100);

/** Stored with a conversion: an offline conversion goal, or an event goal of a UET tag. */
export const goalSettingsSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('offline_goal'),
    ...account,
    goalName,
    /** The conversion window of the goal. */
    windowDays: z.number().int().min(1).max(90),
    hasEnhancedConversions: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('uet_goal'),
    ...account,
    tagId: id,
    goalName,
    eventName: z.string().trim().min(1).max(100).meta({
      title: 'Event action',
      description: 'The action of the custom event that the goal counts, as configured in Microsoft Advertising.',
    }),
  }),
]);

export type GoalSettings = z.infer<typeof goalSettingsSchema>;
export type OfflineGoalSettings = Extract<GoalSettings, { kind: 'offline_goal' }>;
export type UetGoalSettings = Extract<GoalSettings, { kind: 'uet_goal' }>;
