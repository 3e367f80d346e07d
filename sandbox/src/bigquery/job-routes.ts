import { sendJson } from '../router.ts';
import { objectOf, pageOf, readBody, type BigQuery, type Call } from './call.ts';
import { invalid, notInSandbox } from './errors.ts';
import { unavailable } from './faults.ts';
import { resourceOf, type Job } from './jobs.ts';
import { LoadWork } from './load-work.ts';
import { demandInProject, findProject } from './principals.ts';
import { readQueryRequest } from './query-routes.ts';
import { prepareQuery } from './query-work.ts';

export function insertJob(bigQuery: BigQuery, call: Call): void | Promise<void> {
  const body = readBody(call.body);
  if (objectOf(body.configuration, 'configuration').dryRun === true) return answerDryRun(bigQuery, call, body);
  answerJob(bigQuery, call, acceptJob(bigQuery, call, body, null));
}

/** The statistics of a query that is not executed. There is no job, so the answer has no id. */
async function answerDryRun(bigQuery: BigQuery, call: Call, body: Record<string, unknown>): Promise<void> {
  const { projectId = '' } = call.params;
  findProject(projectId);
  demandInProject(call.principal, 'jobs.create', projectId);
  const configuration = objectOf(body.configuration, 'configuration');
  if (!configuration.query) throw notInSandbox('dry runs of jobs that are not queries');
  const reference = (body.jobReference ?? {}) as { location?: string };
  const request = readQueryRequest(objectOf(configuration.query, 'configuration.query'), call, reference.location);
  const { location, work } = prepareQuery(bigQuery, { ...request, isDryRun: true });
  const { statistics } = await work.run(() => Promise.resolve());
  sendJson(call.response, 200, {
    ...{ kind: 'bigquery#job', configuration: { ...configuration, jobType: 'QUERY' }, jobReference: { projectId, location } },
    ...{ statistics: { creationTime: String(Date.now()), ...statistics }, status: { state: 'DONE' } },
  });
}

/** Sends the state of an accepted job, unless a fault withholds the answer. */
export function answerJob({ faults }: BigQuery, call: Call, job: Job): void {
  const resource = job.configuration.load === undefined ? 'query' : 'load';
  const load = job.configuration.load as { destinationTable?: { tableId?: string } } | undefined;
  const table = load?.destinationTable?.tableId;
  if (faults.strike('fails_after_applying', { ...call.occasion, resource, ...(table && { table }) }, call)) throw unavailable();
  sendJson(call.response, 200, resourceOf(job, call.baseUrl));
}

/** `media`: the data uploaded with the job, or null. */
export function acceptJob(bigQuery: BigQuery, call: Call, body: Record<string, unknown>, media: Buffer[] | null): Job {
  const { projectId = '' } = call.params;
  findProject(projectId);
  demandInProject(call.principal, 'jobs.create', projectId);
  const configuration = objectOf(body.configuration, 'configuration');
  const reference = (body.jobReference ?? {}) as { jobId?: string; location?: string };
  const accept = (location: string, work: LoadWork | ReturnType<typeof prepareQuery>['work']): Job =>
    bigQuery.jobs.insert(
      { projectId, location, configuration, ...(reference.jobId && { jobId: reference.jobId }) },
      call.principal,
      work,
    );
  if (configuration.dryRun) throw notInSandbox('dry runs of jobs that are not queries');
  if (configuration.load) {
    if (!media) throw invalid('Load configuration must specify at least one source URI');
    const work = new LoadWork(
      bigQuery,
      objectOf(configuration.load, 'configuration.load'),
      media,
      call.principal,
      reference.location,
    );
    return accept(work.location, work);
  }
  if (!configuration.query) throw notInSandbox('jobs that neither load nor query');
  const request = readQueryRequest(objectOf(configuration.query, 'configuration.query'), call, reference.location);
  const { location, work } = prepareQuery(bigQuery, request);
  return accept(location, work);
}

export function getJob({ jobs }: BigQuery, { params, url, response, baseUrl }: Call): void {
  const { projectId = '', jobId = '' } = params;
  sendJson(response, 200, resourceOf(jobs.get(findProject(projectId).id, url.searchParams.get('location'), jobId), baseUrl));
}

export function cancelJob({ jobs }: BigQuery, { params, url, response, baseUrl }: Call): void {
  const { projectId = '', jobId = '' } = params;
  const job = jobs.get(findProject(projectId).id, url.searchParams.get('location'), jobId);
  jobs.cancel(job);
  sendJson(response, 200, { kind: 'bigquery#jobCancelResponse', job: resourceOf(job, baseUrl) });
}

export function listJobs({ jobs }: BigQuery, { params, url, response, baseUrl }: Call): void {
  const { projectId = '' } = params;
  const { items, nextPageToken } = pageOf(jobs.list(findProject(projectId).id), url.searchParams);
  const listed = items.map((job) => {
    const { etag: _etag, selfLink: _selfLink, configuration, ...resource } = resourceOf(job, baseUrl);
    const isFull = url.searchParams.get('projection') === 'full';
    return { ...resource, state: job.state, ...(job.error && { errorResult: job.error }), ...(isFull && { configuration }) };
  });
  sendJson(response, 200, { kind: 'bigquery#jobList', jobs: listed, ...(nextPageToken && { nextPageToken }) });
}
