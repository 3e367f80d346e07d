import { Inject, Injectable } from '@nestjs/common';
import { WebhookEndpointsService } from '../../alerts/index.js';
import { isBilled } from '../../access/index.js';
import { Connectors } from '../../catalog/index.js';
import { ImportConnections, PaymentConnections } from '../../connections/index.js';
import { ImportConversions } from '../../conversions/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Problem } from '../../core/http/problem.js';
import { DestinationsService } from '../../destinations/index.js';
import { SourcesService } from '../../sources/index.js';
import type { ConfigurationFile } from '../file/configuration-file.dto.js';
import type { Snapshot } from '../file/read-configuration.js';
import { planApps } from './plan-apps.js';
import { planConnections } from './plan-connections.js';
import { planConversions } from './plan-conversions.js';
import { planDestinations } from './plan-destinations.js';
import { planRules, planWebhooks } from './plan-notifications.js';
import { planPayments } from './plan-payments.js';
import { planSources } from './plan-sources.js';
import type { PlanServices, PlanState, Step } from './plan-state.js';
import type { PlanCounts } from './plan.dto.js';

/** Compares a file with an organization. Reads nothing but the snapshot, so a plan and its application cannot differ. */
@Injectable()
export class PlanConfiguration {
  private readonly services: PlanServices;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly connectors: Connectors,
    connections: ImportConnections,
    conversions: ImportConversions,
    paymentConnections: PaymentConnections,
    sources: SourcesService,
    destinations: DestinationsService,
    private readonly webhooks: WebhookEndpointsService,
  ) {
    this.services = { connections, conversions, paymentConnections, sources, destinations, webhooks };
  }

  /** Addresses of the file that no webhook can have, with the reason. Resolves host names, so it is not part of a transaction. */
  async findWrongUrls({ webhooks }: ConfigurationFile): Promise<Map<string, string>> {
    const wrong = new Map<string, string>();
    const checks = webhooks.map(({ url }) =>
      this.webhooks.checkUrl(url).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        wrong.set(url, error.problem.detail);
      }),
    );
    await Promise.all(checks);
    return wrong;
  }

  plan(file: ConfigurationFile, current: Snapshot, wrongUrls: Map<string, string>): Step[] {
    assertUniqueKeys(file);
    const { connectors, services, env } = this;
    const connections = isBilled(env) ? (env.PLAN_CONNECTIONS ?? null) : null;
    const limits = { customApps: env.CUSTOM_APPS_PER_ORGANIZATION, connections };
    const state: PlanState = {
      ...{ file, current, connectors, services, wrongUrls, limits, steps: [] },
      ...{ apps: new Map(), sources: new Map(), destinations: new Map(), webhooks: new Map() },
    };
    // In the order in which they refer to each other.
    const parts = [
      planApps,
      planSources,
      planDestinations,
      planConnections,
      planConversions,
      planPayments,
      planWebhooks,
      planRules,
    ];
    for (const plan of parts) plan(state);
    return state.steps;
  }
}

export function countsOf(steps: Step[]): PlanCounts {
  const count = (holds: (step: Step) => boolean) => steps.filter(holds).length;
  return {
    create: count(({ item }) => item.action === 'create'),
    change: count(({ item }) => item.action === 'change'),
    unchanged: count(({ item }) => item.action === 'unchanged'),
    conflict: count(({ item }) => item.action === 'conflict'),
    notImportable: count(({ item }) => item.action === 'not_importable'),
    needsCredentials: count(({ item }) => item.needs !== null),
  };
}

/** A repeated key would make references ambiguous. */
function assertUniqueKeys(file: ConfigurationFile): void {
  const errors = (['apps', 'sources', 'destinations', 'webhooks'] as const).flatMap((list) => {
    const keys = file[list].map(({ key }) => key);
    return keys.flatMap((key, index) =>
      keys.indexOf(key) === index ? [] : [{ field: `${list}.${index}.key`, message: `key ${key} is used twice` }],
    );
  });
  const [first] = errors;
  if (first) throw new Problem('request.invalid', { detail: `${first.field}: ${first.message}`, errors: errors.slice(0, 50) });
}
