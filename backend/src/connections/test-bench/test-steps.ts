import {
  type AdAccount,
  type Destination,
  type Fence,
  PREVIEW_ROWS,
  type Slice,
  type Stream,
  type WriteContext,
  type WritePreview,
} from '../../connectors/kit/contract.js';
import { SkipAccount } from '../../connectors/kit/errors.js';
import { projectPages } from '../../connectors/kit/rows/excluded-columns.js';
import { hashPages } from '../../connectors/kit/rows/hashed-columns.js';
import type { OpenSource } from '../../sources/index.js';
import { drain, type ReadingContext, SampledRows } from '../reading-context.js';
import type { TestItem, TestSample } from './test-bench.dto.js';
import { runStep, skipped, toTestItem } from './test-items.js';

/** Stands for a run, which a test does not create. Statements and names that contain the run are otherwise exact. */
const NO_RUN: Fence = { runId: '00000000-0000-7000-8000-000000000000', leaseEpoch: 1n };

export interface TestContexts {
  source: ReadingContext;
  destination: WriteContext;
}

/** Whether the platform answers and still lists the account. */
export async function checkSource(
  { connector, providerName }: OpenSource,
  { externalId, name }: AdAccount,
  context: ReadingContext,
): Promise<TestItem[]> {
  const { signal } = context;
  const answers = await runStep({ code: 'answers', label: `${providerName} answers` }, signal, async () => {
    const result = await connector.listAccounts(context);
    return { result, detail: result.length === 1 ? '1 account' : `${result.length} accounts` };
  });
  const step = { code: 'account', label: 'Account accessible' };
  if (!answers.result) return [answers.item, skipped(step, 'Not tested, because the source does not answer.')];
  const accounts = answers.result;
  const account = await runStep(step, signal, async () => {
    const listed = accounts.find((one) => one.externalId === externalId);
    if (!listed || listed.problem !== undefined) throw inaccessible(name, listed?.problem);
    return { result: listed, detail: listed.name };
  });
  return [answers.item, account.item];
}

const inaccessible = (name: string, problem: string | undefined): SkipAccount =>
  new SkipAccount({
    code: 'test_bench.account',
    message: problem ?? `The signed-in user no longer has access to ${name}.`,
    action: 'Choose another account, or restore access at the platform',
  });

export interface Target {
  /** Open, and closed by the caller; null if it could not be opened. */
  destination: Destination | null;
  items: TestItem[];
}

/** The items of the destination's check that write nothing. */
export async function openAndCheck(open: () => Promise<Destination>, context: WriteContext): Promise<Target> {
  const opened = await runStep({ code: 'opens', label: 'Credentials available' }, context.signal, async () => ({
    result: await open(),
    detail: null,
  }));
  const destination = opened.result;
  if (!destination) return { destination: null, items: [opened.item] };
  const checked = await runStep({ code: 'checks', label: 'Destination check' }, context.signal, async () => ({
    result: await destination.check(context, 'read_only'),
    detail: null,
  }));
  return { destination, items: checked.result?.map(toTestItem) ?? [checked.item] };
}

interface Reading {
  source: OpenSource;
  slice: Slice;
  written: Stream;
  isReadable: boolean;
  target: Target;
  contexts: TestContexts;
  report: (step: string) => void;
}

interface Read {
  sourceItem: TestItem;
  destinationItem: TestItem;
  sample: TestSample | null;
  write: WritePreview | null;
}

const READS = { code: 'reads', label: 'Rows read' };
const PREVIEWS = { code: 'previews', label: 'Write previewed' };

/** Reads the rows once, for the sample and for the preview of the write. */
export async function readAndPreview(reading: Reading): Promise<Read> {
  if (!reading.isReadable) {
    reading.report('sample');
    const sourceItem = skipped(READS, 'Not read, because an earlier item failed.');
    return { sourceItem, destinationItem: skipped(PREVIEWS, 'There are no rows to write.'), sample: null, write: null };
  }
  const { source, slice, written, target, contexts, report } = reading;
  const sample = new SampledRows(PREVIEW_ROWS);
  const pages = sample.read(projectPages(source.connector.read(contexts.source, slice), slice, written));
  const { signal } = contexts.source;
  const startedAt = performance.now();
  const { destination } = target;
  const isWritable = destination !== null && target.items.every(({ state }) => state !== 'failed');
  const previewed = await runStep(PREVIEWS, signal, async () => {
    if (!isWritable) return { result: await drain(pages).then(() => null), detail: null };
    const hashed = hashPages(pages, written, [...contexts.destination.hashed]);
    const result = await destination.preview(contexts.destination, { ...slice, stream: written }, hashed, NO_RUN);
    return { result, detail: result.target };
  });
  report('sample');
  const read = await runStep(READS, signal, () => {
    if (sample.failure !== null) throw sample.failure;
    return Promise.resolve({ result: sample.count, detail: sample.count === 1 ? '1 row' : `${sample.count} rows` });
  });
  report('preview');
  const durationMs = Math.round(performance.now() - startedAt);
  return {
    sourceItem: { ...read.item, durationMs },
    destinationItem: previewItem(previewed.item, { isRead: sample.failure === null, isWritable }),
    // Without an error of the source the time may have ended, and then not all rows were read.
    sample:
      read.item.state === 'passed'
        ? { columns: written.columns.map(({ name }) => name), rows: sample.rows, rowCount: sample.count }
        : null,
    write: previewed.result,
  };
}

/** An error of the source is the source's item. */
function previewItem(item: TestItem, { isRead, isWritable }: { isRead: boolean; isWritable: boolean }): TestItem {
  if (!isRead) return skipped(PREVIEWS, 'The rows could not be read.');
  return isWritable ? item : skipped(PREVIEWS, 'Not tested, because an earlier item failed.');
}
