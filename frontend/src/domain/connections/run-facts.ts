import { formatDuration } from '~/lib/durations';
import { formatCount, plural } from '~/lib/numbers';
import { runTable } from './connection-state';
import type { RunState } from './connection-state';
import { RUN_STEPS, stepFractions } from './run-progress';
import type { RunStep } from './run-progress';

/** What the texts of a run are made from. */
export interface RunFacts {
  state: RunState;
  step: RunStep | null;
  slicesDone: number;
  slicesTotal: number;
  slicesFailed: number;
  slicesSkipped: number;
  rowsRead: number;
  apiCalls: number;
  bytes: number;
  failure: { class: string; code: string } | null;
  /** By account. */
  verification: { slicesCompared: number }[];
  verify: { rows: boolean; cost: boolean; expected: { rows: number }; found: { rows: number } } | null;
}

export type StepState = 'done' | 'active' | 'partly' | 'failed' | 'stopped' | 'not_reached' | 'pending';

/** Only an active run has steps that are pending. */
export const stepStateWord: Record<StepState, string> = {
  done: 'done',
  active: 'in progress',
  partly: 'partly done',
  failed: 'failed',
  stopped: 'stopped',
  not_reached: 'not reached',
  pending: 'pending',
};

const isActive = ({ state }: RunFacts): boolean => runTable[state].isActive;

/** Chunks of an ended run whose rows were verified. */
const loadedChunks = (run: RunFacts): number => run.slicesDone - run.slicesFailed - run.slicesSkipped;

const shareOf = (chunks: number, run: RunFacts): StepState => (chunks === run.slicesTotal ? 'done' : 'partly');

function stateOfEnded(step: RunStep, run: RunFacts): StepState {
  const ending: StepState = run.state === 'cancelled' ? 'stopped' : 'failed';
  if (run.slicesTotal === 0) return run.state === 'skipped' || step !== 'plan' ? 'not_reached' : ending;
  if (step === 'plan') return 'done';
  // A compared chunk has passed all steps before the comparison, also if its rows differ.
  const compared = run.verification.reduce((sum, { slicesCompared }) => sum + slicesCompared, 0);
  const loaded = loadedChunks(run);
  if (step === 'commit') return loaded > 0 ? shareOf(loaded, run) : 'not_reached';
  if (step === 'verify' && run.verify && !(run.verify.rows && run.verify.cost)) return 'failed';
  if (compared > 0) return shareOf(compared, run);
  // Nothing was read: the run never came further than to extract.
  const last = run.rowsRead === 0 ? 1 : RUN_STEPS.indexOf(run.step ?? 'extract');
  const index = RUN_STEPS.indexOf(step);
  return index === last ? ending : index < last ? 'done' : 'not_reached';
}

export function stepStateOf(step: RunStep, run: RunFacts): StepState {
  if (run.state === 'succeeded') return 'done';
  if (!isActive(run)) return stateOfEnded(step, run);
  const index = RUN_STEPS.indexOf(step);
  const fraction = stepFractions(run)[index] ?? 0;
  if (fraction >= 1) return 'done';
  return fraction > 0 || step === run.step ? 'active' : 'pending';
}

/** `9 of 12 loaded, 3 skipped`; `5 of 12` while the run is active. */
export function chunksText(run: RunFacts): string {
  if (isActive(run)) return `${formatCount(run.slicesDone)} of ${formatCount(run.slicesTotal)}`;
  const rest = [
    run.slicesFailed > 0 && `${formatCount(run.slicesFailed)} failed`,
    run.slicesSkipped > 0 && `${formatCount(run.slicesSkipped)} skipped`,
  ];
  return [`${formatCount(loadedChunks(run))} of ${formatCount(run.slicesTotal)} loaded`, ...rest].filter(Boolean).join(', ');
}

/** The result of a step, or what it does while it has none. */
export function stepText(step: RunStep, run: RunFacts): string {
  const state = stepStateOf(step, run);
  if (state === 'not_reached') return 'Not reached';
  switch (step) {
    case 'plan':
      return run.slicesTotal === 0 ? 'Splits the days into chunks' : plural(run.slicesTotal, 'chunk');
    case 'extract':
      return `${plural(run.rowsRead, 'row')} in ${plural(run.apiCalls, 'API call')}`;
    case 'stage':
      return `${stagedText(run.bytes)} staged`;
    case 'load':
      return `${chunksText(run)}, each chunk in one transaction`;
    case 'verify':
      return run.verify
        ? `${formatCount(run.verify.found.rows)} of ${formatCount(run.verify.expected.rows)} rows counted at the destination`
        : 'Counts rows and cost at the destination';
    case 'commit':
      return isActive(run) ? 'Updates coverage' : `Coverage updated for ${plural(loadedChunks(run), 'chunk')}`;
  }
}

const stagedText = (bytes: number): string => (bytes < 1e6 ? `${formatCount(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

export interface VerificationFacts {
  rowsExpected: number;
  rowsFound: number;
  costMicrosExpected: string;
  costMicrosFound: string;
  isEqual: boolean;
  slices: number;
  slicesCompared: number;
  slicesLate: number;
}

export interface Verdict {
  text: string;
  /** `idle`: nothing was compared. */
  tone: 'good' | 'warn' | 'danger' | 'idle';
}

/** What the comparison of an account shows. Chunks that were not read are neither equal nor different. */
export function verdictOf(facts: VerificationFacts): Verdict {
  const { rowsExpected, rowsFound, costMicrosExpected, costMicrosFound, isEqual, slices, slicesCompared, slicesLate } = facts;
  if (slicesCompared === 0) return { text: 'Not read', tone: 'idle' };
  if (isEqual) return { text: 'Match', tone: 'good' };
  if (slicesLate > 0) return { text: `${formatCount(slicesLate)} of ${plural(slices, 'chunk')} not verified yet`, tone: 'warn' };
  if (rowsFound < rowsExpected) return { text: `${formatCount(rowsExpected - rowsFound)} missing`, tone: 'danger' };
  if (rowsFound > rowsExpected) return { text: `${formatCount(rowsFound - rowsExpected)} extra`, tone: 'danger' };
  if (costMicrosExpected !== costMicrosFound) return { text: 'Cost differs', tone: 'danger' };
  const unread = slices - slicesCompared;
  if (unread > 0) return { text: `Match, ${formatCount(unread)} of ${plural(slices, 'chunk')} not read`, tone: 'warn' };
  return { text: 'Other values differ', tone: 'danger' };
}

export interface EndFacts {
  state: RunState;
  rowsRead: number;
  rowsWritten: number;
  slicesTotal: number;
  startedAt: string | null;
  /** When the state was sent. */
  updatedAt: string;
}

/** The end of a run, with its counts: `Search: 160,254 rows verified, 156 chunks in 5 s`. */
export function endText(name: string, run: EndFacts, reason: string): string {
  const { state, rowsRead, rowsWritten, slicesTotal, startedAt, updatedAt } = run;
  const took = startedAt === null ? '' : ` in ${formatDuration(Math.max(0, Date.parse(updatedAt) - Date.parse(startedAt)))}`;
  if (state === 'succeeded') return `${name}: ${plural(rowsWritten, 'row')} verified, ${plural(slicesTotal, 'chunk')}${took}`;
  if (state === 'cancelled') return `${name}: run canceled, ${plural(rowsWritten, 'row')} loaded`;
  if (state === 'skipped') return `${name}: nothing to load`;
  const counts = rowsRead > 0 ? `, ${formatCount(rowsWritten)} of ${plural(rowsRead, 'row')} found` : '';
  return `${name}: run ${runTable[state].word.toLowerCase()}${counts}. ${reason}`;
}
