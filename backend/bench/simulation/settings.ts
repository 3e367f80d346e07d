const isSmall = process.argv.includes('--smoke');

/** @param smallest the value for a smoke run */
function setting(name: string, usual: number, smallest: number): number {
  const value = Number(process.env[name] || (isSmall ? smallest : usual));
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}

const connections = setting('CONNECTIONS', 20_000, 12);
const minutes = setting('MINUTES', 30, 0.2);

export const settings = {
  connections,
  organizations: setting('ORGANIZATIONS', 500, 3),
  /** Duration of the window into which a day is compressed. */
  minutes,
  workers: setting('WORKERS', 3, 1),
  apis: setting('APIS', 2, 1),
  /** How long runs may still start after the window. */
  drainMinutes: setting('DRAIN_MINUTES', Math.max(1, minutes / 2), 1),
  /** Whether all connections run once before the window, so that the runs of the window are not the first ones. */
  isWarm: process.env['WARM_UP'] === 'true',
  /** The product's setting and its default. */
  slotsOfWorker: Number(process.env['WORKER_CONCURRENCY'] || 4),
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The scheduler cannot select due connections more often: a selection takes up to a second. */
const SHORTEST_TICK_MS = 1_000;

/** For each connection, which may have to run once and whose facts are computed; at least START_MS. */
const PREPARE_MS = 300;
const START_MS = 180_000;
/** For the start of the processes, the creation of the organizations, and the comparison of all tables. */
const OTHERS_MS = 1_200_000;

export const windowMs = minutes * MINUTE_MS;
/** How much faster than a real day connections become due. */
export const factor = DAY_MS / windowMs;
/** A minute of the compressed day: connections become due, and the scheduler selects them, at this interval. */
export const tickMs = Math.max(SHORTEST_TICK_MS, MINUTE_MS / factor);
/** The work that the creation of connections causes ends within this time. */
export const preparationMs = START_MS + connections * PREPARE_MS;
/** Whatever hangs, the simulation ends within this time. */
export const limitMs = OTHERS_MS + preparationMs + windowMs + settings.drainMinutes * MINUTE_MS;
