import { z } from 'zod';

/** Of the operator. */
export interface BigQuerySettings {
  /** `https://bigquery.googleapis.com`, without a slash at the end. */
  baseUrl: string;
  /** Where service accounts get their tokens. A key file that names another address is refused. */
  tokenUrl: string;
  /** The moment it is now, for signatures and the expiry of tokens. */
  now(): Date;
  pace?: Partial<Pace>;
}

/** How patient the connector is; the tests' server needs less. */
export interface Pace {
  /** Before a failed request is sent again; doubles each time. */
  retryMs: number;
  /** Until the head of an answer is there. */
  answerMs: number;
  /** Between two looks at a job, at most. */
  pollMs: number;
  /** A job that takes longer is cancelled, and tried again later. */
  jobTimeoutMs: number;
  /** Compressed rows up to this size are sent with the job in one request, more in an upload of their own. */
  multipartBytes: number;
  /** Of such an upload, a multiple of 256 KiB. */
  chunkBytes: number;
}

export const defaultPace: Pace = {
  retryMs: 1_000,
  answerMs: 60_000,
  pollMs: 2_000,
  jobTimeoutMs: 10 * 60_000,
  multipartBytes: 4 * 1024 * 1024,
  chunkBytes: 8 * 1024 * 1024,
};

/** What the form asks for; nothing here is secret. */
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
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,199}$/, 'letters, digits and underscores, at most 200, beginning with a letter')
    .meta({
      title: 'Dataset',
      description: 'Where the tables go. Made if it does not exist and the account may.',
      examples: ['marketing'],
    }),
  location: z
    .string()
    .trim()
    .regex(/^(EU|US|[a-z]+-[a-z]+[0-9]+)$/, 'EU, US or a region such as europe-west3')
    .default('EU')
    .meta({ title: 'Location', description: 'Where the dataset lies or is to be made; it cannot be moved later.' }),
  tablePrefix: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,19})?$/, 'small letters, digits and underscores, at most 20')
    .default('')
    .meta({ title: 'Table prefix', description: 'Stands before every table name, e.g. "ads_". May stay empty.' }),
  maximumGibPerQuery: z.number().int().min(1).max(100_000).default(100).meta({
    title: 'Limit per query, in GiB',
    description: 'BigQuery refuses, and does not bill, a query of ours that would read more than this.',
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
    .refine((text) => readKeyFile(text) !== null, 'the whole JSON key file of a service account')
    .meta({
      title: 'Service account key',
      description: 'The whole JSON key file, as Google Cloud lets you download it. Stored encrypted, and never shown again.',
      format: 'password',
    }),
});

/** The parts of a key file that are needed; null when the text is none. */
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
