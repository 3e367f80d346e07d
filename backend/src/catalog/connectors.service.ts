import { Inject, Injectable } from '@nestjs/common';
import {
  type CatalogEntry,
  type Connectors as ConnectorList,
  createConnectors,
  customEventsSource,
  describeConnectors,
} from '../connectors/catalog.js';
import type { DestinationConnector, SourceConnector, SourceDescription } from '../connectors/kit/connector.js';
import type { ConversionSourceConnector } from '../connectors/kit/conversion-source.js';
import type { ConversionTargetConnector } from '../connectors/kit/conversion-target.js';
import type { OAuthFlow } from '../connectors/kit/oauth/oauth.js';
import type { Provider } from '../generated/prisma/client.js';
import { ENV, type Env } from '../core/config/env.js';
import { WAITS, type Waits } from '../core/config/waits.js';
import { Problem } from '../core/http/problem.js';
import { connectorSettings } from './connector-settings.js';

/** The connectors of this installation, used by all modules. */
@Injectable()
export class Connectors {
  /** Connectors of the platforms that are set up here. */
  readonly all: ConnectorList;
  readonly entries: CatalogEntry[];

  constructor(@Inject(ENV) env: Env, @Inject(WAITS) waits: Waits) {
    this.all = createConnectors(connectorSettings(env, waits));
    this.entries = describeConnectors(this.all);
  }

  getSource(provider: Provider): SourceDescription {
    return this.findSource(provider) ?? notSetUp(provider);
  }

  /** The connector of a platform with sign-in. */
  getPlatform(provider: Provider): SourceConnector {
    return this.findPlatform(provider) ?? notSetUp(provider);
  }

  getDestination(provider: Provider): DestinationConnector {
    return this.findDestination(provider) ?? notSetUp(provider);
  }

  findDestination(provider: Provider): DestinationConnector | null {
    return this.all.destinations.find((connector) => connector.provider === provider) ?? null;
  }

  /** A source of conversions. All of them work without settings of the operator. */
  getConversionSource(provider: Provider): ConversionSourceConnector {
    return this.all.conversionSources.find((connector) => connector.provider === provider) ?? notSetUp(provider);
  }

  getConversionTarget(provider: Provider): ConversionTargetConnector {
    return this.findConversionTarget(provider) ?? notSetUp(provider);
  }

  findConversionTarget(provider: Provider): ConversionTargetConnector | null {
    return this.all.conversionTargets.find((connector) => connector.provider === provider) ?? null;
  }

  /** The platform's display name. */
  nameOf(provider: Provider): string {
    return this.entries.find((entry) => entry.provider === provider)?.name ?? provider;
  }

  getEntry(provider: Provider): CatalogEntry {
    return this.entries.find((entry) => entry.provider === provider) ?? notSetUp(provider);
  }

  /** The OAuth flow of the provider. */
  getOauth(provider: Provider): OAuthFlow {
    const oauth = this.findPlatform(provider)?.oauth ?? this.getDestination(provider).oauth;
    return oauth ?? notSetUp(provider);
  }

  /** Null if this installation is not set up for the provider. Existing items are still shown. */
  findSource(provider: Provider): SourceDescription | null {
    return provider === 'custom' ? customEventsSource : this.findPlatform(provider);
  }

  private findPlatform(provider: Provider): SourceConnector | null {
    return this.all.sources.find((connector) => connector.provider === provider) ?? null;
  }
}

function notSetUp(provider: Provider): never {
  throw new Problem('provider.not_set_up', {
    detail: `This installation has no OAuth client for ${provider}, so users cannot sign in there.`,
    action: 'Ask the operator of this installation to set it up',
  });
}
