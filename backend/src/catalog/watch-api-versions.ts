import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import type { ApiVersion } from '../connectors/kit/connector.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { defineScheduledJob } from '../core/jobs/define-job.js';
import { Jobs } from '../core/jobs/jobs.js';
import { LOGGER } from '../core/observability/logger.js';
import { Metrics } from '../core/observability/metrics.js';
import { Connectors } from './connectors.service.js';
import { plural } from '../connectors/kit/plural.js';

const watchApiVersions = defineScheduledJob('watch-api-versions', 'every-night');

/** Enough time to read the changes of the next version and to release an update. */
const WARNING_DAYS = 60;
const DAY_MS = 86_400_000;

export interface EndingVersion {
  provider: ProviderName;
  version: string;
  /** Null: this release does not know the version, so its end is unknown. */
  endsOn: string | null;
  /** Negative: the version has ended, and the platform may reject requests already. */
  daysLeft: number | null;
}

/** Platforms end their API versions. Reports the end to the operator, every night in the log and always in the metrics. */
@Injectable()
export class WatchApiVersions implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly connectors: Connectors,
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(watchApiVersions, () => Promise.resolve(void this.watch()));
    const list = () => this.list();
    new Gauge({
      name: 'provider_api_version_days_left',
      help: 'Days until the platform may reject the API version in use',
      labelNames: ['provider', 'version'],
      registers: [this.metrics.registry],
      collect() {
        for (const { provider, version, daysLeft } of list()) if (daysLeft !== null) this.set({ provider, version }, daysLeft);
      },
    });
  }

  /** Logs a warning for versions that end soon, have ended, or are not known to this release. */
  watch(): EndingVersion[] {
    const ending = this.list().filter(({ daysLeft }) => daysLeft === null || daysLeft <= WARNING_DAYS);
    for (const one of ending) this.logger.warn(one, `API version ${one.version} of ${one.provider} ${advice(one)}`);
    return ending;
  }

  /** Versions of the platforms that are set up here, without those for which the platform has announced no end. */
  private list(): EndingVersion[] {
    const { sources, destinations } = this.connectors.all;
    return [...sources, ...destinations].flatMap(({ provider, apiVersion }) => toEnding(provider, apiVersion));
  }
}

function advice({ endsOn, daysLeft }: EndingVersion): string {
  if (daysLeft === null)
    return 'is unknown to this release, so its end is not watched: check it in the changelog of the platform';
  const when = daysLeft > 0 ? `ends in ${plural(daysLeft, 'day')}, on ${endsOn}` : `ended on ${endsOn}`;
  return `${when}: update Tributary, or set the next version if it has a setting`;
}

function toEnding(provider: ProviderName, apiVersion: ApiVersion | null): EndingVersion[] {
  if (!apiVersion) return [];
  const { name: version, endsOn, isListed = true } = apiVersion;
  if (endsOn === null) return isListed ? [] : [{ provider, version, endsOn, daysLeft: null }];
  return [{ provider, version, endsOn, daysLeft: Math.ceil((Date.parse(endsOn) - Date.now()) / DAY_MS) }];
}
