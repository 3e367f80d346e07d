import { parse } from 'csv-parse/sync';
import type { Day } from '../../connectors/kit/contract.js';
import { isDay } from '../../connectors/kit/days.js';

export interface Rate {
  day: Day;
  currency: string;
  /** Units of the currency for one euro. */
  perEuro: number;
}

/**
 * Parses the format of the European Central Bank: a header line "Date" with currencies, then one line per day, newest first.
 * "N/A" means no rate. https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export function readRates(csv: string): Rate[] {
  const [head = [], ...lines] = parse(csv, { relaxColumnCount: true, trim: true, skipEmptyLines: true });
  if (head[0] !== 'Date' || !head.slice(1).some(isCurrency))
    throw new Error('the rate source is not a table of days and currencies');
  return lines.flatMap(([day = '', ...cells]) =>
    isDay(day) ? cells.flatMap((cell, index) => toRate(day, head[index + 1] ?? '', cell)) : [],
  );
}

function toRate(day: Day, currency: string, cell: string): Rate[] {
  const perEuro = Number(cell);
  return isCurrency(currency) && cell !== '' && Number.isFinite(perEuro) && perEuro > 0 ? [{ day, currency, perEuro }] : [];
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);
