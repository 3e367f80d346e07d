import { z } from 'zod';
import { isTimeZone } from '../../kit/moments.js';

/** Late events are read by reading past days again. Most arrive within five to ten days; later ones need a longer overlap. */
const OVERLAP_DAYS = 7;
/** After this time Mixpanel's compaction has removed copies of events. */
const LONGEST_OVERLAP_DAYS = 20;

/** Fields of the form. None of them is secret. */
export const sourceSettingsSchema = z.strictObject({
  eventName: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .meta({
      title: 'Event name',
      description: 'The event as it is named in raw exports, such as Purchase.',
      examples: ['Purchase'],
    }),
  overlapDays: z.number().int().min(1).max(LONGEST_OVERLAP_DAYS).default(OVERLAP_DAYS).meta({
    title: 'Overlap in days',
    description:
      'How many past days each read includes, for events that arrived late. Each day is one of the 60 exports an hour.',
  }),
  timeZone: z
    .string()
    .refine(isTimeZone, 'a time zone such as America/Los_Angeles')
    .nullable()
    .default(null)
    .meta({
      title: 'Time zone of a project from before 2023',
      description:
        'Only for projects created before 2023: the time zone in the project settings. Mixpanel stores their events in it, and those of newer projects in UTC.',
      examples: ['America/Los_Angeles'],
    }),
});

export type SourceSettings = z.infer<typeof sourceSettingsSchema>;
