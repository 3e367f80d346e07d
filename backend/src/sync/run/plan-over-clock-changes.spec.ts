import { expect, it } from 'vitest';
import type { AdAccount, Day, Stream } from '../../connectors/kit/contract.js';
import { addDays, dayInTimeZone, listDays } from '../../connectors/kit/days.js';
import { coverageKey, planSlices, provisionalFrom } from './plan-slices.js';

const HOUR_MS = 3_600_000;
const LOOKBACK_DAYS = 3;
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'America/Santiago', 'America/Havana', 'Africa/Cairo'],
  ...['Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'],
];
/** The leap day and both changes of clocks, in both hemispheres. */
const PERIODS = [
  ['2028-02-25', '2028-05-05'],
  ['2028-08-30', '2028-11-10'],
] as const;
const stream = { name: 'campaign_daily' } as Stream;

/** Plans a run every few hours, as if each one loaded everything it planned. Returns when each day was last read. */
function simulate(timeZone: string, from: Day, to: Day, everyHours: number): Map<Day, Date> {
  const account = { externalId: 'a', timeZone } as AdAccount;
  const key = coverageKey(stream.name, account.externalId);
  const [readAt, settled] = [new Map<Day, Date>(), new Set<Day>()];
  for (let moment = Date.parse(`${from}T15:00:00Z`); moment < Date.parse(to); moment += everyHours * HOUR_MS) {
    const now = new Date(moment);
    const today = dayInTimeZone(now, timeZone);
    const freshDays = new Set([...readAt].filter(([, at]) => dayInTimeZone(at, timeZone) === today).map(([day]) => day));
    const slices = planSlices({
      ...{ streams: [stream], accounts: [account], historyFrom: from, now, isWhole: false },
      ...{
        lookbackDays: new Map([['a', LOOKBACK_DAYS]]),
        settledDays: new Map([[key, settled]]),
        freshDays: new Map([[key, freshDays]]),
        lostDays: new Map(),
      },
    });
    const days = slices.flatMap((slice) => listDays(slice.from, slice.to));
    expect(new Set(days).size).toBe(days.length);
    for (const day of days) {
      readAt.set(day, now);
      if (day < provisionalFrom(account, LOOKBACK_DAYS, now)) settled.add(day);
    }
  }
  return readAt;
}

it.each(ZONES)(
  'every day is read after its end and until it is final, over all clock changes and the leap day, in %s',
  (timeZone) => {
    for (const [from, to] of PERIODS)
      for (const everyHours of [1, 6, 24]) {
        const readAt = simulate(timeZone, from, to, everyHours);
        const days = [...readAt.keys()].sort();
        expect(days).toEqual(listDays(from, days.at(-1) ?? from));
        const settledTo = addDays(days.at(-1) ?? from, -LOOKBACK_DAYS - 1);
        for (const day of listDays(from, settledTo))
          expect(dayInTimeZone(readAt.get(day) as Date, timeZone) > addDays(day, LOOKBACK_DAYS)).toBe(true);
      }
  },
);
