import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedSlice, Page, SentRow, Slice, WriteContext } from '../kit/contract.js';
import { lookOfStored, sliceId, unseen, type Expectation } from './expectation.js';
import { fromState, plannedVersionsOf, toState } from './stored-row.js';
import { findKnown, type KnownInput, type KnownRow } from './known-rows.js';
import { hiddenTextsOf, hideTexts } from './hidden-texts.js';
import { addToPlan, confirmShown } from './unconfirmed-rows.js';
import type { Loader } from './loader.js';
import { planRow, type PlanContext } from './plan.js';
import { collectRows, rowHash, type CollectedRows } from './rows.js';
import { planAndSend, type Sender } from './send.js';
import { targetOf } from './settings.js';
import { shapeOf } from './shape.js';
import type { VisibleRows } from './visible-rows.js';

/** Updates Mixpanel's events of a slice to the source's rows, based on the ledger. */
export async function writeSlice(
  loader: Loader,
  context: WriteContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
): Promise<LoadedSlice> {
  const { planner, expectation, rows } = await planSlice(loader, context, slice, pages);
  await planAndSend(senderOf(loader, context, slice, expectation), planAll(planner, expectation));
  loader.expectations.set(sliceId(slice), expectation);
  return { rowsWritten: rows.size, bytes: rows.bytes };
}

interface SlicePlan {
  planner: Planner;
  expectation: Expectation;
  rows: CollectedRows;
}

/** What has to be sent for a slice, for its write and its preview. */
export async function planSlice(
  loader: Loader,
  context: WriteContext,
  slice: Slice,
  pages: AsyncIterable<Page>,
): Promise<SlicePlan> {
  const rows = await collectRows(slice, pages, loader.maximumSliceRows);
  context.signal.throwIfAborted();
  const expectation = startExpectation(loader, slice);
  const target = targetOf(loader.project);
  const hidden = hiddenTextsOf(slice, context.hashed);
  const listed = await context.ledger.list(slice);
  const stored = new Map(listed.map((row) => [rowHash(slice, row.key), hideTexts(hidden, row)]));
  const outdated = new Set(
    listed.map((row) => rowHash(slice, row.key)).filter((hash, index) => stored.get(hash) !== listed[index]),
  );
  const planned = [...stored.values()].filter((row) => row.planned !== null && row.state['target'] === target);
  const unconfirmed = new Map((await confirmShown(loader, context, slice, planned)).map((row) => [rowHash(slice, row.key), row]));
  const visible = await readVisibleRows(loader, context, slice, { stored, rows, expectation, target });
  const mode = loader.project.restatementMode;
  const plan = { slice, target, mode, eventName: loader.project.eventName, now: loader.now() };
  const unseenHashes = new Set([...unconfirmed.keys(), ...(visible ? unseen(expectation, visible).keys() : [])]);
  const known = { ...plan, stored, rows, visible, unseen: unseenHashes, hidden };
  const planner = { plan, known, unconfirmed, outdated };
  // Plans twice: first to check that every row can be sent, then to send. All events together need a hundred times the memory of
  // the rows.
  const rehearsal = planAll(planner, null);
  while (!rehearsal.next().done);
  return { planner, expectation, rows };
}

function startExpectation({ expectations, suspects }: Loader, slice: Slice): Expectation {
  const isRepaired = suspects.delete(sliceId(slice));
  return { held: new Map(), sent: expectations.get(sliceId(slice))?.sent ?? new Map(), isRepaired };
}

function senderOf({ api, readBack }: Loader, context: WriteContext, slice: Slice, { sent }: Expectation): Sender {
  return {
    api,
    context,
    slice,
    onAttempt: () => readBack.sent(slice),
    onSent: (rows) => {
      for (const row of rows) {
        const { key, day } = row;
        sent.set(rowHash(slice, key), { key, day, events: plannedVersionsOf(row) });
      }
    },
  };
}

interface Baseline {
  stored: Map<string, SentRow>;
  rows: CollectedRows;
  expectation: Expectation;
  target: string;
}

/**
 * Null: the ledger has the state of Mixpanel. Mixpanel is read if a difference was found, or if the ledger has nothing for the
 * slice in this target although events may exist: from before the settings changed, or from a deleted destination.
 */
async function readVisibleRows(
  { readBack, waitsMs }: Loader,
  context: WriteContext,
  slice: Slice,
  { stored, rows, expectation, target }: Baseline,
): Promise<VisibleRows | null> {
  if (expectation.isRepaired) {
    await delay(waitsMs[0] ?? 0, undefined, { signal: context.signal });
    return readBack.verifiedRows(context, slice);
  }
  const isKnown = [...stored.values()].some(({ state }) => state['target'] === target);
  return isKnown || rows.size + stored.size === 0 ? null : readBack.rowsBefore(context, slice);
}

interface Planner {
  plan: PlanContext;
  known: KnownInput;
  /** Rows with events of an earlier attempt that Mixpanel does not return yet, by hash. */
  unconfirmed: Map<string, SentRow>;
  /** Rows of which the ledger has texts that are hashed or excluded now, by hash. */
  outdated: Set<string>;
}

/**
 * Yields rows to send, and rows to store only because Mixpanel returned another state. Records the expected state of each row.
 * Events that Mixpanel does not return yet are sent again with the same ids.
 */
export function* planAll({ plan, known, unconfirmed, outdated }: Planner, expectation: Expectation | null): Generator<SentRow> {
  const shape = shapeOf(plan.slice.stream);
  for (const row of findKnown(known)) {
    const { hash, key, day, held, stored } = row;
    const change = { key, day, held, row: known.rows.find(hash), before: stored?.state ?? null };
    const next = planRow(plan, change) ?? settle(plan.target, row, outdated.has(hash));
    const left = next ? fromState(plan.target, next) : held;
    if (left) expectation?.held.set(hash, lookOfStored(shape, left));
    const earlier = unconfirmed.get(hash);
    if (next) yield addToPlan(next, earlier);
    else if (earlier) yield earlier;
  }
}

/** Null if the ledger already has the same state. */
function settle(target: string, { key, day, held, stored }: KnownRow, isOutdated: boolean): SentRow | null {
  if (!held) return null;
  const state = toState(target, held);
  const isSame = stored && !isOutdated && JSON.stringify(toState(target, held)) === JSON.stringify(normal(target, stored));
  return isSame ? null : { key, day, revision: held.revision, state, planned: null };
}

/** Normalized, because the database does not preserve the order of properties. */
function normal(target: string, stored: SentRow): SentRow['state'] | null {
  const held = fromState(target, stored);
  return held && toState(target, held);
}
