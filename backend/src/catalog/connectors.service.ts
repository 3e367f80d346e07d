import type { Day, ProviderName } from '../connectors/kit/contract.js';
import { monthsBefore } from '../connectors/kit/days.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import {
  type CatalogEntry,
  type Connectors as ConnectorList,
  createConnectors,
  describeConnectors,
} from '../connectors/catalog.js';
import type {
  DestinationConnector,
  KeySourceConnector,
  PaymentSourceConnector,
  SourceConnector,
  SourceDescription,
} from '../connectors/kit/connector.js';
import type { ConversionSourceConnector } from '../connectors/kit/conversion-source.js';
import type { ConversionTargetConnector } from '../connectors/kit/conversion-target.js';
import type { OAuthFlow } from '../connectors/kit/oauth/oauth.js';
import { ENV, type Env } from '../core/config/env.js';
import { WAITS, type Waits } from '../core/config/waits.js';
import { LOGGER } from '../core/observability/logger.js';
import { Problem } from '../core/http/problem.js';

/** The connectors of this installation, used by all modules. */
@Injectable()
export class Connectors {
  /** Connectors of the platforms that are set up here. */
  readonly all: ConnectorList;
  readonly entries: CatalogEntry[];

  constructor(@Inject(ENV) env: Env, @Inject(WAITS) waits: Waits, @Inject(LOGGER) logger: Pick<Logger, 'warn'>) {
    this.all = createConnectors({
      environment: env,
      now: () => new Date(),
      egress: { allowed: env.EGRESS_ALLOWED_NETWORKS },
      warn: (message) => logger.warn(message),
      paces: waits.connectors ?? {},
    });
    this.entries = describeConnectors(this.all);
  }

  getSource(provider: ProviderName): SourceDescription {
    return this.findSource(provider) ?? notSetUp(provider);
  }

  /** The connector of a platform with sign-in. */
  getPlatform(provider: ProviderName): SourceConnector {
    return this.findPlatform(provider) ?? notSetUp(provider);
  }

  getDestination(provider: ProviderName): DestinationConnector {
    return this.findDestination(provider) ?? notSetUp(provider);
  }

  findDestination(provider: ProviderName): DestinationConnector | null {
    return this.all.destinations.find((connector) => connector.provider === provider) ?? null;
  }

  /** A source of conversions. All of them work without settings of the operator. */
  getConversionSource(provider: ProviderName): ConversionSourceConnector {
    return this.all.conversionSources.find((connector) => connector.provider === provider) ?? notSetUp(provider);
  }

  getConversionTarget(provider: ProviderName): ConversionTargetConnector {
    return this.findConversionTarget(provider) ?? notSetUp(provider);
  }

  findConversionTarget(provider: ProviderName): ConversionTargetConnector | null {
    return this.all.conversionTargets.find((connector) => connector.provider === provider) ?? null;
  }

  /** The platform's display name. */
  nameOf(provider: ProviderName): string {
    return this.entries.find((entry) => entry.provider === provider)?.name ?? provider;
  }

  /** The entry of a provider that is set up here. */
  getEntry(provider: ProviderName): CatalogEntry {
    const entry = this.entries.find((one) => one.provider === provider);
    return entry && entry.credentials.length > 0 ? entry : notSetUp(provider);
  }

  isSetUp(provider: ProviderName): boolean {
    return this.entries.some((entry) => entry.provider === provider && entry.credentials.length > 0);
  }

  /** The OAuth flow of the provider. */
  getOauth(provider: ProviderName): OAuthFlow {
    const oauth = this.findPlatform(provider)?.oauth ?? this.getDestination(provider).oauth;
    return oauth ?? notSetUp(provider);
  }

  /** Null if this installation is not set up for the provider. Existing items are still shown. */
  findSource(provider: ProviderName): SourceDescription | null {
    const pushed = this.all.pushSources.find((source) => source.provider === provider);
    return pushed ?? this.findPlatform(provider) ?? this.findKeySource(provider);
  }

  /** The first day that the provider still has. It moves with time. Null: no limit. */
  firstAvailableDay(provider: ProviderName): Day | null {
    const months = this.findSource(provider)?.historyMonths;
    return months ? monthsBefore(new Date(), months) : null;
  }

  /** A source that is opened with an entered key. All of them work without settings of the operator. */
  getKeySource(provider: ProviderName): KeySourceConnector {
    return this.findKeySource(provider) ?? notSetUp(provider);
  }

  /** A key source with the reads of payments. */
  getPaymentSource(provider: ProviderName): PaymentSourceConnector {
    const source = this.findKeySource(provider);
    return source && 'listEvents' in source ? source : notSetUp(provider);
  }

  findKeySource(provider: ProviderName): KeySourceConnector | PaymentSourceConnector | null {
    return this.all.keySources.find((connector) => connector.provider === provider) ?? null;
  }

  private findPlatform(provider: ProviderName): SourceConnector | null {
    return this.all.sources.find((connector) => connector.provider === provider) ?? null;
  }
}

function notSetUp(provider: ProviderName): never {
  throw new Problem('provider.not_set_up', {
    detail: `This installation has no OAuth client for ${provider}, so users cannot sign in there.`,
    action: 'Ask the operator of this installation to set it up',
  });
}
