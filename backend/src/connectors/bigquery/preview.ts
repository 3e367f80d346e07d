import {
  type ConnectorContext,
  type Fence,
  type Page,
  PREVIEW_ROWS,
  type PreviewStep,
  type Slice,
  type WritePreview,
} from '../kit/contract.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { datasetRequest, findLocation, verifyLocation } from './dataset.js';
import { claimQuery } from './fence.js';
import type { Jobs } from './jobs.js';
import { sliceName, tableNameOf } from './names.js';
import { jsonLines } from './ndjson.js';
import { queryRequest } from './query.js';
import { loadBase, loadMetadata, removalRequest, stagingRequest } from './staging.js';
import { tableRequests } from './tables.js';
import { totalsQuery } from './totals.js';
import { loadRequest } from './upload.js';
import { replaceScript, replaceBase } from './write.js';

interface Planned {
  title: string;
  request: ApiRequest;
  /** Lines after the JSON body. */
  rows?: string[];
}

/** The requests of `prepare`, `write` and `totals` for the slice, in their order. Requests the tables' metadata only. */
export async function previewSlice(
  jobs: Jobs,
  context: ConnectorContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
  fence: Fence,
): Promise<WritePreview> {
  const { api } = jobs;
  const rows = await collect(slice, pages);
  const planned = [...(await preparation(api, context, slice)), ...load(jobs, slice, rows, fence)];
  return {
    target: `${api.destination.datasetId}.${tableNameOf(api.destination, slice.stream)}`,
    steps: planned.map((one) => toStep(api, one)),
    omittedSteps: 0,
    omittedRows: rows.count - rows.lines.length,
  };
}

interface Collected {
  /** The first rows, as they are loaded. */
  lines: string[];
  count: number;
}

async function collect({ stream }: Slice, pages: AsyncIterable<Page>): Promise<Collected> {
  const rows: Collected = { lines: [], count: 0 };
  for await (const page of pages) {
    const left = PREVIEW_ROWS - rows.lines.length;
    if (left > 0) rows.lines.push(...jsonLines(stream, page).slice(0, left));
    rows.count += page.rowCount;
  }
  return rows;
}

async function preparation(api: BigQueryApi, context: ConnectorContext, { stream }: Slice): Promise<Planned[]> {
  const location = await findLocation(api, context);
  if (location !== null) verifyLocation(api, location);
  const create = location === null ? [{ title: 'Create the dataset', request: datasetRequest(api) }] : [];
  return [...create, ...(await tableRequests(api, context, stream))];
}

function load(jobs: Jobs, slice: Slice, { lines, count }: Collected, fence: Fence): Planned[] {
  const { api } = jobs;
  const claim = claimQuery(jobs, fence);
  const jobId = `${loadBase(slice, fence)}_1`;
  const staging = count === 0 ? null : `_${jobId}`;
  const replace = replaceScript(jobs, slice, fence, staging, count);
  const totals = totalsQuery(api.destination, slice);
  const staged: Planned[] =
    staging === null
      ? []
      : [
          { title: 'Create the staging table', request: stagingRequest(api, slice, staging) },
          { title: 'Load the rows', request: loadRequest(api, loadMetadata(jobs, jobId, staging)), rows: lines },
        ];
  const removed = staging === null ? [] : [{ title: 'Delete the staging table', request: removalRequest(api, staging) }];
  return [
    { title: 'Register the run', request: jobs.queryJobRequest(`${claim.base}_1`, claim.query, claim.parameters) },
    ...staged,
    {
      title: 'Replace the days in one transaction',
      request: jobs.queryJobRequest(`${replaceBase(slice, fence)}_1`, replace.query, replace.parameters),
    },
    ...removed,
    {
      title: 'Read the sums back',
      request: queryRequest(jobs, totals.query, totals.parameters, `totals-${sliceName(fence, slice)}`),
    },
  ];
}

function toStep(api: BigQueryApi, { title, request, rows = [] }: Planned): PreviewStep {
  const json = request.json === undefined ? [] : [JSON.stringify(request.json, null, 2)];
  const body = [...json, ...rows].join('\n');
  const text = `${request.method} ${api.settings.baseUrl}${request.path}`;
  return { title, kind: 'request', text, body: body === '' ? null : body };
}
