import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { FixSettings } from '../kit/errors.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { BigQueryFailure } from './failure.js';
import { OWN_LABEL, TABLE_MARKER } from './markers.js';

interface Dataset {
  location: string;
  /** This call created it. */
  isMade: boolean;
}

/** Finds the dataset, or creates it in the configured location. */
export async function ensureDataset(api: BigQueryApi, context: ConnectorContext): Promise<Dataset> {
  const location = await findLocation(api, context);
  if (location !== null) return { location, isMade: false };
  const isMade = await createdNow(api.json(context, datasetRequest(api)));
  return isMade ? { location: api.destination.location, isMade } : ensureDataset(api, context);
}

const datasetSchema = z.object({
  location: z.string(),
  /** Milliseconds. New tables get them unless their creation sets others. */
  defaultTableExpirationMs: z.string().optional(),
  defaultPartitionExpirationMs: z.string().optional(),
});

/** Null if the dataset does not exist. */
export async function readDataset(api: BigQueryApi, context: ConnectorContext): Promise<z.infer<typeof datasetSchema> | null> {
  const body = await api.find(context, api.dataset);
  return body === null ? null : datasetSchema.parse(body);
}

/** The location of the dataset, or null if it does not exist. */
export async function findLocation(api: BigQueryApi, context: ConnectorContext): Promise<string | null> {
  return (await readDataset(api, context))?.location ?? null;
}

export function datasetRequest({ destination, project }: BigQueryApi): ApiRequest {
  const { projectId, datasetId, location } = destination;
  const json = {
    datasetReference: { projectId, datasetId },
    location,
    description: `Advertising data. ${TABLE_MARKER}.`,
    labels: OWN_LABEL,
  };
  return { method: 'POST', path: `${project}/datasets`, json };
}

/**
 * A check deletes the dataset that it created, possibly while another check or run uses it. The dataset is then created again.
 */
export async function inDataset<Result>(
  api: BigQueryApi,
  context: ConnectorContext,
  use: () => Promise<Result>,
): Promise<Result> {
  return use().catch(async (error: unknown) => {
    if (!(error instanceof BigQueryFailure) || error.status !== 404) throw error;
    await ensureDataset(api, context);
    return use();
  });
}

/** A dataset's location never changes, and a job in another location does not find it. */
export function verifyLocation({ destination }: BigQueryApi, location: string): void {
  if (location.toLowerCase() === destination.location.toLowerCase()) return;
  throw new FixSettings({
    code: 'bigquery.location',
    message: `The dataset "${destination.datasetId}" is in ${location}, not in ${destination.location}.`,
    action: `Set the location to ${location}, or choose another dataset`,
  });
}

/** False: another client created it a moment ago, which is fine. */
export async function createdNow(creation: Promise<unknown>): Promise<boolean> {
  return creation.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof BigQueryFailure) || error.status !== 409) throw error;
      return false;
    },
  );
}
