import { z } from 'zod';

/** Set by the operator. */
export interface MixpanelSettings {
  /** Null: Mixpanel itself. Otherwise a server with one path per region: `<baseUrl>/us`, `/eu`, `/in`. */
  baseUrl: string | null;
  now(): Date;
  /** The first pause after a 429, 502 or 503; pauses grow. */
  retryDelayMs?: number;
  /** Wait times for events that were accepted but are not returned yet. */
  visibilityWaitsMs?: number[];
  /** Limit of a check or a test event. It includes the wait times. */
  checkMs?: number;
  /** Pause between two exports. */
  exportPauseMs?: number;
  /** A slice with more rows is split. */
  maximumSliceRows?: number;
  /**
   * Maximum events of one export that are parsed for slices that may follow. If there are more, only the requesting slices are
   * parsed.
   */
  sharedEvents?: number;
}

export const residencies = ['US', 'EU', 'IN'] as const;
export type Residency = (typeof residencies)[number];

export const settingsSchema = z.strictObject({
  projectId: z
    .string()
    .trim()
    .regex(/^[0-9]{1,12}$/, 'the number in the project settings')
    .meta({ title: 'Project ID', description: "The number in Mixpanel's project settings, not the token." }),
  residency: z.enum(residencies).meta({
    bindsCredentials: true,
    title: 'Data residency',
    description: 'Region of the project. Mixpanel silently loses events that are sent to another region.',
  }),
  eventName: z.string().trim().min(1).max(255).default('Ad Data').meta({
    title: 'Event name',
    description:
      'Every row becomes an event with this name. If several reports are loaded, filter sums by one value of the property stream, because reports repeat the same spend.',
  }),
  restatementMode: z
    .enum(['delta', 'resend'])
    .default('delta')
    .meta({
      title: 'Corrections',
      description:
        'delta: a changed row sends the exact difference as one more event, so totals stay exact. Corrections change event counts, averages, distributions and filters such as cost > 0, and Mixpanel bills them as events. A renamed campaign keeps its old amounts under its old name, so break down by campaign_id. resend: the whole row is sent again with the same id. Mixpanel does not guarantee which version it shows.',
      enumTitles: { delta: 'Send a delta', resend: 'Send the whole row again' },
    }),
});

export const credentialsSchema = z.strictObject({
  username: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .regex(/^[^:\s]+$/, 'without colons and spaces')
    .meta({ title: 'Service account', description: 'Its username, such as loader.1a2b3c.mp-service-account.' }),
  secret: z.string().trim().min(1).max(1_000).meta({
    title: 'Secret',
    description: 'Mixpanel shows it once. Stored encrypted and never shown again.',
    format: 'password',
  }),
});

export type ProjectSettings = z.infer<typeof settingsSchema>;
export type Credentials = z.infer<typeof credentialsSchema>;

/**
 * Where a row is sent. Another project, region, event name or restatement mode has other events, so rows sent there do not count.
 */
export function targetOf({ projectId, residency, eventName, restatementMode }: ProjectSettings): string {
  return `${residency}/${projectId}/${restatementMode}/${eventName}`;
}
