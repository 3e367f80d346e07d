import { toDate } from '../clock.ts';
import type { Account } from './accounts.ts';
import { campaignsOf } from './campaigns.ts';
import { attributes, measures, type Subject } from './columns.ts';
import { goalsOf } from './goals.ts';
import { historyDays, leavesOf, type Metrics } from './numbers.ts';
import { findReportType } from './reports.ts';

export interface ReadContext {
  account: Account;
  /** The account's own calendar. */
  today: number;
  revisionOf: (dayNumber: number) => number;
}

export interface Question {
  type: string;
  columns: string[];
  isDaily: boolean;
  fromDay: number;
  toDay: number;
  formatVersion: '1.0' | '2.0';
}

export interface Row {
  values: string[];
  metrics: Metrics;
}

/** One row for each combination of the requested attributes with any metric. */
export function readRows(question: Question, context: ReadContext): Row[] {
  const asked = question.columns.flatMap((name) => attributes[name] ?? []);
  const groups = new Map<string, { subject: Subject; metrics: Metrics }>();
  for (const [subject, metrics] of subjectsOf(question, context)) {
    if (Object.values(metrics).every((value) => value === 0)) continue;
    const key = asked.map((attribute) => attribute(subject)).join('\u0000');
    const group = groups.get(key);
    if (group) addMetrics(group.metrics, metrics);
    else groups.set(key, { subject, metrics: { ...metrics } });
  }
  return [...groups.values()].map(({ subject, metrics }) => ({ metrics, values: valuesOf(question, subject, metrics) }));
}

function* subjectsOf(question: Question, { account, today, revisionOf }: ReadContext): Generator<[Subject, Metrics]> {
  const report = findReportType(question.type);
  if (!report) throw new Error(`No report ${question.type}`);
  const fromDay = Math.max(question.fromDay, today - historyDays);
  for (let dayNumber = fromDay; dayNumber <= Math.min(question.toDay, today); dayNumber++) {
    const day = { dayNumber, ageDays: today - dayNumber, revision: revisionOf(dayNumber) };
    const date = question.isDaily ? toDate(dayNumber) : '';
    for (const campaign of campaignsOf(account)) {
      for (const leaf of leavesOf(account, campaign, day)) {
        if (!report.includes(leaf)) continue;
        if (!report.isByGoal) yield [{ account, date, leaf, goal: null }, leaf.metrics];
        else for (const goal of goalsOf(account).keys()) yield [{ account, date, leaf, goal }, ofGoal(leaf.metrics, goal)];
      }
    }
  }
}

/** The share of the conversions of the first goal (purchases) or the second (sign-ups). */
function ofGoal(metrics: Metrics, goal: number): Metrics {
  const nothing = {
    ...{ impressions: 0, clicks: 0, spendMicros: 0, purchaseHundredths: 0, purchaseRevenueMicros: 0 },
    ...{ signUpHundredths: 0, viewThroughHundredths: 0, assists: 0 },
  };
  if (goal === 1) return { ...nothing, signUpHundredths: metrics.signUpHundredths };
  if (goal === 0) return { ...metrics, impressions: 0, clicks: 0, spendMicros: 0, signUpHundredths: 0 };
  return nothing;
}

function addMetrics(to: Metrics, from: Metrics): void {
  for (const name of Object.keys(to) as (keyof Metrics)[]) to[name] += from[name];
}

function valuesOf(question: Question, subject: Subject, metrics: Metrics): string[] {
  return question.columns.map((column) => {
    const attribute = attributes[column];
    return attribute?.(subject) ?? measures[column]?.text(metrics, question.formatVersion) ?? '';
  });
}
