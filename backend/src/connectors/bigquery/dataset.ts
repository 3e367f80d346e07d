import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import { FixSettings } from '../kit/errors.js';
import type { BigQueryApi } from './api.js';
import { BigQueryFailure } from './failure.js';
import { OWN_LABEL, TABLE_MARKER } from './marks.js';

interface Dataset {
  location: string;
  /** It was not there a moment ago. */
  isMade: boolean;
}

/** Found, or made where the settings say. */
export async function ensureDataset(api: BigQueryApi, context: ConnectorContext): Promise<Dataset> {
  const { projectId, datasetId, location } = api.destination;
  const body = await api.find(context, api.dataset);
  if (body !== null) return { location: z.object({ location: z.string() }).parse(body).location, isMade: false };
  const json = {
    datasetReference: { projectId, datasetId },
    location,
    description: `Advertising data. ${TABLE_MARKER}.`,
    labels: OWN_LABEL,
  };
  const isMade = await createdNow(api.json(context, { method: 'POST', path: `${api.project}/datasets`, json }));
  return isMade ? { location, isMade } : ensureDataset(api, context);
}

/** A check takes away the dataset it has made while another check or run goes on to use it: then it is made once more. */
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

/** A dataset lies in one place for good, and a job elsewhere does not find it. */
export function proveLocation({ destination }: BigQueryApi, location: string): void {
  if (location.toLowerCase() === destination.location.toLowerCase()) return;
  throw new FixSettings({
    code: 'bigquery.location',
    message: `The dataset "${destination.datasetId}" lies in ${location}, not in ${destination.location}.`,
    action: `Set the location to ${location}, or choose another dataset`,
  });
}

/** False: somebody else made it a moment ago, which is as good. */
export async function createdNow(creation: Promise<unknown>): Promise<boolean> {
  return creation.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof BigQueryFailure) || error.status !== 409) throw error;
      return false;
    },
  );
}
