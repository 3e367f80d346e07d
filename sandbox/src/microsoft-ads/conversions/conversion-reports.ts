import type { Account } from '../accounts.ts';
import { ApiFault } from '../errors.ts';
import { numberOf, strike } from '../faults.ts';
import { batchError, occasionOf } from './batch-errors.ts';
import { goalsForUpload, type Upload } from './offline-conversions.ts';
import type { ReceivedRow, ReceivedRows } from './received-rows.ts';
import { dayMs, timeOf } from './values.ts';

type Json = Record<string, unknown>;

const goalLimit = 20;
const dayLimit = 7;

/** OfflineConversionReports/Query: how many rows of each day were accepted or rejected. */
export function dailyReport(upload: Upload, body: Json): Json {
  const range = readRange(body);
  const days = byDay(visibleRows(upload, upload.account, range));
  return {
    DailySummaries: [...days].map(([day, rows]) => ({
      FailureCount: rows.filter(({ outcome }) => outcome === 'rejected').length,
      FileUrl: null,
      FileUrlExpiryTimeUtc: null,
      SuccessCount: rows.filter(({ outcome }) => outcome !== 'rejected').length,
      UploadDate: day,
    })),
  };
}

/** OfflineConversionReport/QueryByGoalIds: how many rows of each goal were attributed, and why the others were not. */
export function goalReport(upload: Upload, body: Json): Json {
  const range = readRange(body);
  if (range.end - range.start > dayLimit * dayMs) throw invalidInput(`The range must not be longer than ${dayLimit} days`);
  const ids: unknown[] = Array.isArray(body.GoalIds) ? body.GoalIds : [];
  if (ids.length === 0 || ids.length > goalLimit) throw invalidInput(`GoalIds must have 1 to ${goalLimit} elements`);
  const rows = visibleRows(upload, upload.account, range);
  const goals = goalsForUpload(upload.received, upload.account);
  const found = ids.map((id) => goals.find((goal) => goal.id === String(id)) ?? null);
  return {
    OfflineGoalConversionSummaries: found.map((goal) =>
      goal
        ? goalSummary(
            goal,
            rows.filter(({ goalId }) => goalId === goal.id),
          )
        : null,
    ),
    PartialErrors: found.flatMap((goal, index) => (goal ? [] : [batchError(index, 'InvalidConversionGoalId')])),
  };
}

/** Numbers of type long are texts, all others are not. */
function goalSummary(goal: { id: string; name: string }, rows: ReceivedRow[]): Json {
  const total = countsOf(rows);
  return {
    ConversionName: goal.name,
    DailySummaries: [...byDay(rows)].map(([day, ofDay]) => {
      const counts = countsOf(ofDay);
      return {
        Alerts: counts.alerts,
        GoalId: goal.id,
        SuccessCount: counts.success,
        SuccessRate: counts.rate,
        UnattributedCount: counts.unattributed,
        UploadDate: day,
      };
    }),
    GoalId: goal.id,
    OverallAlerts: total.alerts,
    OverallSuccessCount: String(total.success),
    OverallSuccessRate: total.rate,
    OverallUnattributedCount: String(total.unattributed),
  };
}

function countsOf(rows: ReceivedRow[]): { success: number; unattributed: number; rate: number; alerts: Json[] } {
  const success = rows.filter(({ outcome }) => outcome === 'attributed').length;
  const reasons = rows.flatMap(({ reason }) => reason ?? []);
  const unattributed = reasons.length;
  const alerts = [...new Set(reasons)].map((reason) => ({
    Count: String(reasons.filter((one) => one === reason).length),
    UnattributedReason: reason,
  }));
  return { success, unattributed, rate: success === 0 ? 0 : success / (success + unattributed), alerts };
}

/** The uploads of the range. The report shows them at once here, and up to six hours later at Microsoft. */
function visibleRows(
  { state, received, exchange, now }: Upload,
  account: Account,
  { start, end }: { start: number; end: number },
): ReceivedRow[] {
  const late = strike(state.faults, exchange, 'late_conversion_report', occasionOf(exchange, 'conversion_report'));
  const shownBefore = late ? now - numberOf(late, 'days', 3) * dayMs : Number.POSITIVE_INFINITY;
  return uploadsOf(received, account).filter(
    ({ receivedAt, outcome }) => outcome !== 'lost' && receivedAt >= start && receivedAt <= end && receivedAt < shownBefore,
  );
}

function uploadsOf(received: ReceivedRows, account: Account): ReceivedRow[] {
  return received.rows.filter(({ kind, accountId }) => accountId === account.id && kind.startsWith('offline'));
}

function byDay(rows: ReceivedRow[]): Map<string, ReceivedRow[]> {
  return Map.groupBy(rows, ({ receivedAt }) => `${new Date(receivedAt).toISOString().slice(0, 10)}T00:00:00`);
}

function readRange(body: Json): { start: number; end: number } {
  const [start, end] = [timeOf(body.StartDateUtc, 'StartDateUtc'), timeOf(body.EndDateUtc, 'EndDateUtc')];
  if (start === null || end === null || Number.isNaN(start) || Number.isNaN(end) || start > end)
    throw invalidInput('StartDateUtc and EndDateUtc must be a range');
  return { start, end };
}

function invalidInput(detail: string): ApiFault {
  return new ApiFault(400, 201, 'ApiInputValidationError', 'One or more input elements failed validation.', detail);
}
