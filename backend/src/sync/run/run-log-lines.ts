import { dayText } from '../../connectors/kit/day-text.js';
import { plural } from '../../connectors/kit/plural.js';
import type { PlannedSlice } from './plan-slices.js';

export const verifiedMessage = ({ stream, from, to }: PlannedSlice, accountName: string, rows: number): string =>
  `Verified ${stream} of ${accountName}, ${dayText(from)} to ${dayText(to)}: ${plural(rows, 'row')}.`;
