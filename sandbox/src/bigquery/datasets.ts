import { sendJson } from '../router.ts';
import { etagOf, numberOr, objectOf, pageOf, proveEtag, readBody, textOf, type BigQuery, type Call } from './call.ts';
import { BigQueryError, invalid } from './errors.ts';
import { demandInDataset, demandInProject, findProject } from './principals.ts';
import type { Dataset } from './store.ts';

/** The larger BigQuery locations. */
const locations = new Set(
  (
    'US EU asia-east1 asia-northeast1 asia-south1 asia-southeast1 australia-southeast1 europe-central2 europe-north1 europe-west1 ' +
    'europe-west2 europe-west3 europe-west4 europe-west6 northamerica-northeast1 southamerica-east1 us-central1 us-east1 us-east4 us-west1 us-west2'
  ).split(' '),
);
const kept = ['description', 'friendlyName', 'labels', 'defaultTableExpirationMs', 'defaultPartitionExpirationMs', 'access'];

export function findLocation(name: unknown): string {
  const known = [...locations].find((location) => location.toLowerCase() === String(name).toLowerCase());
  if (!known) throw invalid(`Invalid value for location: ${String(name)} is not a valid value`);
  return known;
}

export function listDatasets({ store }: BigQuery, { params, url, response, principal }: Call): void {
  const { projectId = '' } = params;
  findProject(projectId);
  demandInProject(principal, 'datasets.get', projectId);
  const { items, nextPageToken } = pageOf(store.listDatasets(projectId), url.searchParams);
  const datasets = items.map((dataset) => ({
    kind: 'bigquery#dataset',
    id: `${projectId}:${dataset.datasetId}`,
    datasetReference: { datasetId: dataset.datasetId, projectId },
    location: dataset.location,
    ...(dataset.properties.labels ? { labels: dataset.properties.labels } : {}),
  }));
  sendJson(response, 200, {
    kind: 'bigquery#datasetList',
    ...(datasets.length > 0 && { datasets }),
    ...(nextPageToken && { nextPageToken }),
  });
}

export function getDataset(bigQuery: BigQuery, call: Call): void {
  const dataset = reach(bigQuery, call, 'datasets.get');
  sendJson(call.response, 200, resourceOf(dataset, call.baseUrl));
}

export function insertDataset({ store }: BigQuery, call: Call): void {
  const { projectId = '' } = call.params;
  const body = readBody(call.body);
  const reference = objectOf(body.datasetReference, 'datasetReference');
  const datasetId = textOf(reference.datasetId, 'datasetReference.datasetId');
  findProject(projectId);
  demandInProject(call.principal, 'datasets.create', projectId);
  if (!/^[A-Za-z0-9_]{1,1024}$/.test(datasetId))
    throw invalid(
      `Invalid dataset ID "${datasetId}". Dataset IDs must be alphanumeric (plus underscores) and must be at most 1024 characters long.`,
    );
  const location = findLocation(body.location ?? 'US');
  const dataset = store.addDataset({ projectId, datasetId, location, creator: call.principal.email, properties: pick(body) });
  sendJson(call.response, 200, resourceOf(dataset, call.baseUrl));
}

/** PATCH keeps properties that are not sent, PUT does not. */
export function changeDataset(bigQuery: BigQuery, call: Call): void {
  const dataset = reach(bigQuery, call, 'datasets.update');
  proveEtag(call, etagOf(dataset.createdAtMs, dataset.version));
  const body = readBody(call.body);
  if (body.location !== undefined && findLocation(body.location) !== dataset.location)
    throw invalid(`Cannot change the location of a dataset from ${dataset.location} to ${String(body.location)}`);
  dataset.properties = call.request.method === 'PUT' ? pick(body) : { ...dataset.properties, ...pick(body) };
  sendJson(call.response, 200, resourceOf(bigQuery.store.saveDataset(dataset), call.baseUrl));
}

export function deleteDataset(bigQuery: BigQuery, call: Call): void {
  const dataset = reach(bigQuery, call, 'datasets.delete');
  const isForced = call.url.searchParams.get('deleteContents') === 'true';
  if (!isForced && bigQuery.store.listTables(dataset.projectId, dataset.datasetId).length > 0)
    throw new BigQueryError(400, 'resourceInUse', `Dataset ${dataset.projectId}:${dataset.datasetId} is still in use`);
  bigQuery.store.removeDataset(dataset);
  call.response.writeHead(204).end();
}

/** The dataset of the path, if the caller has permission. */
export function reach({ store }: BigQuery, { params, principal }: Call, permission: string): Dataset {
  const { projectId = '', datasetId = '' } = params;
  findProject(projectId);
  demandInDataset(principal, permission, `${projectId}:${datasetId}`, store.findDataset(projectId, datasetId)?.creator);
  return store.getDataset(projectId, datasetId);
}

function pick(body: Record<string, unknown>): Record<string, unknown> {
  numberOr(body.defaultTableExpirationMs, null, 'defaultTableExpirationMs');
  return Object.fromEntries(kept.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

function resourceOf(dataset: Dataset, baseUrl: string): Record<string, unknown> {
  const { projectId, datasetId, location, createdAtMs, changedAtMs, version, properties, creator } = dataset;
  return {
    kind: 'bigquery#dataset',
    etag: etagOf(createdAtMs, version),
    id: `${projectId}:${datasetId}`,
    selfLink: `${baseUrl}/bigquery-api/bigquery/v2/projects/${projectId}/datasets/${datasetId}`,
    datasetReference: { datasetId, projectId },
    access: [{ role: 'OWNER', userByEmail: creator }],
    ...Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
    creationTime: String(createdAtMs),
    lastModifiedTime: String(changedAtMs),
    location,
    type: 'DEFAULT',
  };
}
