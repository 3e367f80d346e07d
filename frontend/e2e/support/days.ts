const DAY_MS = 86_400_000;

/** The sandbox's first accounts and the browser are in this time zone. */
const TIME_ZONE = 'Europe/Berlin';

/** The calendar day of the accounts and the browser, `YYYY-MM-DD`. The Swedish locale writes days like this. */
export const daysAgo = (days: number, timeZone = TIME_ZONE): string => {
  const today = new Date().toLocaleDateString('sv-SE', { timeZone });
  return new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);
};
