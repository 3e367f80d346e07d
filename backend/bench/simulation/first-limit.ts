/** What the simulation used of each resource, on average over the window; connections: at most. */
export interface Usage {
  cores: number;
  /** Cores in use by all programs of the machine. */
  busyCores: number;
  /** Cores in use, by part, as names in the plural: workers, other programs, and so on. */
  coresOf: Readonly<Record<string, number>>;
  /** Cores in use by the busiest worker. Its code runs in one thread. */
  busiestWorker: number;
  connections: { most: number; allowed: number };
  /** Runs in progress, of the slots of all workers. */
  slots: { busy: number; total: number };
}

export interface Limit {
  resource: string;
  /** 1: no more is available. */
  share: number;
  figure: string;
}

/** A resource counts as exhausted from here on: the rest is lost to waiting and to the measurement. */
const EXHAUSTED = 0.9;
/** If other programs use most, the second part is the one to improve. */
const SHOWN_PARTS = 2;

/**
 * The resources, causes before symptoms: when processors or connections are exhausted, runs take longer, so the slots are full too. A busy
 * machine is attributed to the part that uses most of it.
 */
export function limitsOf({ cores, busyCores, coresOf, busiestWorker, connections, slots }: Usage): Limit[] {
  const parts = Object.entries(coresOf).sort(([, left], [, right]) => right - left);
  return [
    {
      resource: 'connections of the database',
      share: connections.most / connections.allowed,
      figure: `${connections.most} of ${connections.allowed}`,
    },
    { resource: 'processor of the workers', share: busiestWorker, figure: `${busiestWorker.toFixed(2)} cores in one thread` },
    {
      resource: `processor, which the ${parts[0]?.[0] ?? 'other programs'} use most`,
      share: busyCores / cores,
      figure: `${busyCores.toFixed(2)} of ${cores} cores in use: ${describeParts(parts.slice(0, SHOWN_PARTS))}`,
    },
    { resource: 'slots of the workers', share: slots.busy / slots.total, figure: `${slots.busy.toFixed(1)} of ${slots.total}` },
  ];
}

/** @param backlog due connections at the end of the window whose run had not started */
export function describeFirstLimit(usage: Usage, backlog: number): string {
  const limits = limitsOf(usage);
  const first = limits.find(({ share }) => share >= EXHAUSTED);
  if (first) return `The first limit is the ${first.resource}: ${percent(first)} (${first.figure}).`;
  const [highest] = limits.sort((left, right) => right.share - left.share);
  const most = highest ? `; the most used is the ${highest.resource}: ${percent(highest)} (${highest.figure})` : '';
  return backlog > usage.slots.total
    ? `No measured resource is exhausted, although ${backlog} runs had not started${most}.`
    : `No limit is reached${most}.`;
}

const describeParts = (parts: [string, number][]): string =>
  parts.map(([part, used]) => `${used.toFixed(2)} by the ${part}`).join(', ');

const percent = ({ share }: Limit): string => `${Math.round(share * 100)} %`;
