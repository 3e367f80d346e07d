import { dateToDay, dayToDate } from '../../core/database/days.js';
import { WEEKLY_SUMMARY } from '../alert-kinds.js';

interface Rule {
  events: readonly string[];
  isEnabled: boolean;
}

const sendsSummary = ({ events, isEnabled }: Rule): boolean => isEnabled && events.includes(WEEKLY_SUMMARY);

/** Columns of a rule that is changed. Like a new one, a rule that begins to send the weekly summary starts with the next week. */
export const summaryStart = (before: Rule, after: Rule): { summarizedWeek?: Date } =>
  !sendsSummary(before) && sendsSummary(after) ? { summarizedWeek: dayToDate(dateToDay(new Date())) } : {};
