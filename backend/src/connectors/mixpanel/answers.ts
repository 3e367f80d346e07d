import { z } from 'zod';

/** The reference names the id both `$insert_id` and `insert_id`. Only the index is used. */
export const importSchema = z.object({
  num_records_imported: z.number().int().min(0),
  failed_records: z
    .array(z.object({ index: z.number().int(), field: z.string().default('event'), message: z.string() }))
    .optional(),
});

export const accountSchema = z.object({
  results: z.object({ projects: z.record(z.string(), z.object({ name: z.string().optional() })) }),
});

export const sumSchema = z.object({ results: z.record(z.string(), z.number()) });

export const exportedSchema = z.object({
  properties: z
    .object({
      time: z.number(),
      // Missing for events without a user.
      distinct_id: z.string().default(''),
      $insert_id: z.string(),
      mp_processing_time_ms: z.number().default(0),
      account_id: z.string(),
      stream: z.string(),
      date: z.string(),
      revision: z.number().int(),
      row_present: z.boolean(),
    })
    .catchall(z.unknown()),
});

export interface RejectedEvent {
  index: number;
  field: string;
  message: string;
}

export type ImportOutcome = { isTooLarge: true } | { isTooLarge: false; imported: number; refused: RejectedEvent[] };

/** Undefined for text that is not JSON. Gateways answer in HTML. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
