import type { Day, Exchange } from '../../connectors/kit/contract.js';
import { dayText } from '../../connectors/kit/day-text.js';
import { plural } from '../../connectors/kit/plural.js';
import type { ExchangeRates } from '../jobs/exchange-rates.js';

/** The exchange rates of one run. Collects the days without a rate, whose converted costs are null. */
export class RunRates {
  private readonly missing = new Map<string, Set<Day>>();

  constructor(private readonly rates: Pick<ExchangeRates, 'open' | 'isSet'>) {}

  async open(...[currency, other, days]: Parameters<ExchangeRates['open']>): Promise<Exchange | null> {
    const exchange = await this.rates.open(currency, other, days);
    if (!exchange) return null;
    const rate = (from: string, day: Day): number | null => {
      const found = exchange.rate(from, day);
      if (found === null) this.add(`from ${from} to ${currency}`, day);
      return found;
    };
    return { ...exchange, rate };
  }

  /** The currency of converted costs. Null without a rate source: costs are not converted. */
  convertedTo(currency: string): string | null {
    return this.rates.isSet ? currency : null;
  }

  /** Sentences for the run's log. */
  describeMissing(): string[] {
    return [...this.missing].map(([pair, found]) => {
      const days = [...found].toSorted();
      const range = `${dayText(days[0] ?? '')} to ${dayText(days.at(-1) ?? '')}`;
      return `No exchange rate ${pair} for ${plural(days.length, 'day')}, ${range}: their costs are not converted.`;
    });
  }

  private add(pair: string, day: Day): void {
    const days = this.missing.get(pair) ?? new Set();
    this.missing.set(pair, days.add(day));
  }
}
