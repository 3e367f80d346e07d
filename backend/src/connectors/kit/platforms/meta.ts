import { z } from 'zod';
import { httpUrl } from '../environment.js';

/** A version of the Graph API, which the Marketing API and the Conversions API follow. */
export const graphVersion = z
  .string()
  .regex(/^v\d+\.\d+$/, 'must look like v26.0')
  .default('v26.0');

/** App of type Business at Meta, with the product Marketing API. Unset: Meta is not offered. */
export const metaApp = {
  META_APP_ID: z.string().min(1).optional(),
  META_APP_SECRET: z.string().min(1).optional(),
  META_GRAPH_URL: httpUrl.default('https://graph.facebook.com'),
  META_DIALOG_URL: httpUrl.default('https://www.facebook.com'),
  /** Meta supports a version of the Marketing API for about a year. */
  META_API_VERSION: graphVersion,
};
export const metaAppNames = ['META_APP_ID', 'META_APP_SECRET'] as const;
