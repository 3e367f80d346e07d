import { z } from 'zod';

/** Set by the operator. */
export interface BigQuerySettings {
  /** `https://bigquery.googleapis.com`, without a trailing slash. */
  baseUrl: string;
  /** Token endpoint of service accounts. A key file with another address is rejected. */
  tokenUrl: string;
  /** The current time, for signatures and token expiry. */
  now(): Date;
  pace?: Partial<Pace>;
}

/** Timing and size limits. Tests use smaller values. */
export interface Pace {
  /** Pause before the first retry; doubles each time. */
  retryMs: number;
  /** Limit until the response head arrives. */
  answerMs: number;
  /** Maximum time between two polls of a job. */
  pollMs: number;
  /** A job that takes longer is canceled and retried later. */
  jobTimeoutMs: number;
  /** Limit of a check, which waits for three jobs. */
  checkMs: number;
  /** Compressed rows up to this size are sent with the job in one request, larger ones in a resumable upload. */
  multipartBytes: number;
  /** Chunk size of a resumable upload, a multiple of 256 KiB. */
  chunkBytes: number;
}

export const defaultPace: Pace = {
  retryMs: 1_000,
  answerMs: 60_000,
  pollMs: 2_000,
  jobTimeoutMs: 10 * 60_000,
  checkMs: 60_000,
  multipartBytes: 4 * 1024 * 1024,
  chunkBytes: 8 * 1024 * 1024,
};

/** Fields of the form. None of them is secret. */
export const settingsSchema = z.strictObject({
  projectId: z
    .string()
    .trim()
    .regex(/^(?:[a-z0-9.-]{1,60}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'the id of a Google Cloud project, such as my-project-123')
    .meta({
      title: 'Project ID',
      description: 'Google Cloud project in which the jobs run and are billed.',
      examples: ['my-project-123'],
    }),
  datasetId: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,199}$/, 'letters, digits and underscores, at most 200, starting with a letter')
    .meta({
      title: 'Dataset',
      description: 'Dataset for the tables. Created if missing, if the account has permission.',
      examples: ['marketing'],
    }),
  location: z
    .string()
    .trim()
    .regex(/^(EU|US|[a-z]+-[a-z]+[0-9]+)$/, 'EU, US or a region such as europe-west3')
    .default('EU')
    .meta({ title: 'Location', description: 'Location of the dataset. It cannot be changed later.' }),
  tablePrefix: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,19})?$/, 'lowercase letters, digits and underscores, at most 20')
    .default('')
    .meta({ title: 'Table prefix', description: 'Optional prefix for table names, such as ads_.' }),
  maximumGibPerQuery: z.number().int().min(1).max(100_000).default(100).meta({
    title: 'Limit per query, in GiB',
    description: 'BigQuery rejects queries that would read more than this, and does not bill them.',
  }),
});

export type DestinationSettings = z.infer<typeof settingsSchema>;

export interface ServiceAccountKey {
  clientEmail: string;
  privateKey: string;
  privateKeyId: string;
  tokenUri: string;
}

const keyFileSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key: z.string().min(1),
  private_key_id: z.string().min(1),
  token_uri: z.url(),
});

export const credentialsSchema = z.strictObject({
  serviceAccountKey: z
    .string()
    .trim()
    .max(20_000)
    .refine((text) => readKeyFile(text) !== null, 'the complete JSON key file of a service account')
    .meta({
      title: 'Service account key',
      description: 'The complete JSON key file from Google Cloud. Stored encrypted and never shown again.',
      format: 'password',
    }),
});

/** The required fields of a key file; null if the text is not a key file. */
export function readKeyFile(text: string): ServiceAccountKey | null {
  const parsed = keyFileSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { client_email, private_key, private_key_id, token_uri } = parsed.data;
  return { clientEmail: client_email, privateKey: private_key, privateKeyId: private_key_id, tokenUri: token_uri };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
