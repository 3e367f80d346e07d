import { z } from 'zod';

/** Of the operator. */
export interface MixpanelSettings {
  /** Null: Mixpanel itself. Otherwise a server with one path for each region: `<baseUrl>/us`, `/eu`, `/in`. */
  baseUrl: string | null;
  now(): Date;
  /** The first of the growing pauses after a 429, 502 or 503. */
  retryDelayMs?: number;
  /** How long to wait, each time, for events that were taken in and are not shown yet. */
  visibilityWaitsMs?: number[];
  /** Between two exports. */
  exportPauseMs?: number;
  /** Of more rows a slice is sent in shorter ones. */
  maximumSliceRows?: number;
  /** Events of one export that are taken in for slices that may ask next; of more, only those of the slices that have asked. */
  sharedEvents?: number;
}

export const residencies = ['US', 'EU', 'IN'] as const;
export type Residency = (typeof residencies)[number];

export const settingsSchema = z.strictObject({
  projectId: z
    .string()
    .trim()
    .regex(/^[0-9]{1,12}$/, 'the number that the project settings show')
    .meta({ title: 'Project ID', description: 'The number in the project settings of Mixpanel; not the token.' }),
  residency: z.enum(residencies).meta({
    bindsCredentials: true,
    title: 'Data residency',
    description: 'Where the project lives. Mixpanel loses what is sent to another region without a word, so it is checked.',
  }),
  eventName: z.string().trim().min(1).max(255).default('Ad Data').meta({
    title: 'Event name',
    description:
      'Every row becomes an event of this name. Where several reports are loaded, sum one value of the property stream only: they repeat the same spend.',
  }),
  restatementMode: z
    .enum(['delta', 'resend'])
    .default('delta')
    .meta({
      title: 'Restated numbers',
      description:
        'delta: a changed row sends the exact difference as one more event. Sums are right, and nothing else is: corrections change counts of events, averages, distributions and filters such as cost > 0, and Mixpanel bills them as events. A renamed campaign keeps its old amounts under its old name, so break down by campaign_id. resend: the whole row is sent again under the same id; which version Mixpanel shows is its best effort.',
      enumTitles: { delta: 'Send the difference', resend: 'Send the whole row again' },
    }),
});

export const credentialsSchema = z.strictObject({
  username: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .regex(/^[^:\s]+$/, 'without colons and spaces')
    .meta({ title: 'Service account', description: 'Its user name, such as loader.1a2b3c.mp-service-account.' }),
  secret: z.string().trim().min(1).max(1_000).meta({
    title: 'Secret',
    description: 'Shown by Mixpanel once. Stored encrypted, and never shown again.',
    format: 'password',
  }),
});

export type ProjectSettings = z.infer<typeof settingsSchema>;
export type Credentials = z.infer<typeof credentialsSchema>;

/** Where a row is sent. What was sent elsewhere is of no account here: another project, region, name or way holds other events. */
export function targetOf({ projectId, residency, eventName, restatementMode }: ProjectSettings): string {
  return `${residency}/${projectId}/${restatementMode}/${eventName}`;
}
