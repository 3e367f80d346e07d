import { z } from 'zod';
import type {
  AuthMode,
  DestinationConnector,
  JsonSchema,
  KeySourceConnector,
  PaymentSourceConnector,
  SourceConnector,
  SourceDescription,
} from './kit/connector.js';
import type { Category, ProviderName, Stream } from './kit/contract.js';
import type { ConversionTargetConnector } from './kit/conversion-target.js';
import type { ConversionSourceConnector } from './kit/conversion-source.js';
import type { Declaration, Installation, ProviderDescription, SourceParticulars } from './kit/declaration.js';
import type { Environment, EnvironmentValues } from './kit/environment.js';
import type { Scope } from './kit/oauth/oauth.js';
import { declarations, type ProviderDeclaration, providers } from './registry.js';

export { customEvents } from './custom-events/index.js';
export { type PaymentEvent, paymentEvents } from './stripe/events.js';
export { decimalsOf, toMinor } from './stripe/money.js';
export { RECURRING_DEFINITION_VERSION, recurringDefinition } from './stripe/recurring/definition.js';
export { CUSTOMER_ID_TYPE, PAYMENT_PROVIDER } from './stripe/settings.js';
export { readSignedEvent } from './stripe/webhooks.js';

/** What the process gives to its connectors. */
export interface ConnectorSettings extends Omit<Installation, 'pace'> {
  /** The parsed environment. */
  environment: Record<string, unknown>;
  /** Other waits than the defaults, by provider. */
  paces: Record<ProviderName, object>;
}

/** All connectors that are set up on this installation. Other modules access connectors only through this file and the registry. */
export interface Connectors {
  sources: SourceConnector[];
  /** Sources that are opened with an entered key. */
  keySources: (KeySourceConnector | PaymentSourceConnector)[];
  /** Sources whose rows are pushed. They are opened by the module that stores the rows. */
  pushSources: SourceDescription[];
  destinations: DestinationConnector[];
  conversionTargets: ConversionTargetConnector[];
  conversionSources: ConversionSourceConnector[];
}

export function createConnectors(settings: ConnectorSettings): Connectors {
  const created: Connectors = {
    ...{ sources: [], keySources: [], pushSources: [], destinations: [], conversionTargets: [], conversionSources: [] },
  };
  for (const declaration of [...providers, ...declarations.filter(isConversion)]) add(created, declaration, settings);
  return created;
}

const isConversion = ({ kind }: Declaration): boolean => kind === 'conversion_source' || kind === 'conversion_target';

function add(created: Connectors, { kind, declared }: Declaration, settings: ConnectorSettings): void {
  if (kind === 'push_source') created.pushSources.push(aboutSource(declared));
  else {
    const { environment, now, egress, warn, paces } = settings;
    if ((declared.requires ?? []).some((name) => environment[name] === undefined)) return;
    const names = Object.keys(declared.environment);
    const values = Object.fromEntries(names.map((name) => [name, environment[name]])) as EnvironmentValues<Environment, string>;
    const installation = { now, egress, warn, pace: paces[declared.provider] ?? {} };
    if (kind === 'source') created.sources.push({ ...aboutSource(declared), ...declared.create(values, installation) });
    else if (kind === 'key_source') {
      const credentialsSchema = declared.signIn.schema;
      created.keySources.push({ ...aboutSource(declared), credentialsSchema, ...declared.create(values, installation) });
    } else if (kind === 'destination') {
      const { settingsSchema } = declared;
      created.destinations.push({ ...about(declared), settingsSchema, ...declared.create(values, installation) });
    } else if (kind === 'conversion_source') created.conversionSources.push(declared.create(values, installation));
    else created.conversionTargets.push(declared.create(values, installation));
  }
}

/** A credential type, as the catalog shows it. */
export interface CatalogCredentials {
  authMode: AuthMode;
  scopes: Scope[];
  /** JSON Schema of the secrets that the user enters; null for OAuth. */
  schema: JsonSchema | null;
}

/** What the product can connect to, as the catalog shows it. */
export interface CatalogEntry {
  provider: ProviderName;
  name: string;
  roles: ('source' | 'destination')[];
  category: Category;
  description: string;
  /** Empty: this installation is not set up for the provider. */
  credentials: CatalogCredentials[];
  settingsSchema: JsonSchema | null;
  streams: Stream[];
}

/** Ad platforms first, because most users come for them; then destinations, payments and pushed events. */
function rankOf({ kind, declared: { category } }: ProviderDeclaration): number {
  if (kind === 'destination') return 1;
  return category === 'payments' ? 2 : category === 'custom' ? 3 : 0;
}

/** Everything that is declared, by role and name. */
export function describeConnectors(connectors: Connectors): CatalogEntry[] {
  const sorted = providers.toSorted((one, other) => rankOf(one) - rankOf(other));
  return sorted.map(({ kind, declared }) => {
    const { provider, displayName: name, category, description, settingsSchema } = declared;
    const isOfPayment = category === 'payments';
    return {
      ...{ provider, name, roles: [kind === 'destination' ? 'destination' : 'source'], category, description },
      credentials: credentialsOf(connectors, provider),
      // The settings of a payment's source belong to the payment.
      settingsSchema: settingsSchema && !isOfPayment ? toForm(settingsSchema) : null,
      streams: kind === 'destination' ? [] : declared.streams,
    };
  });
}

function credentialsOf(
  { sources, keySources, pushSources, destinations }: Connectors,
  provider: ProviderName,
): CatalogCredentials[] {
  const isOwn = (connector: { provider: ProviderName }) => connector.provider === provider;
  return [
    ...sources.filter(isOwn).map(({ oauth }) => ({ authMode: 'oauth2' as const, scopes: oauth.scopes, schema: null })),
    ...keySources.filter(isOwn).map(({ rights, credentialsSchema }) => ({
      authMode: 'api_key' as const,
      scopes: rights,
      schema: toForm(credentialsSchema),
    })),
    ...pushSources.filter(isOwn).map(() => ({ authMode: 'push_key' as const, scopes: [], schema: null })),
    ...destinations
      .filter(isOwn)
      .flatMap(({ credentialKinds }) => credentialKinds.map((kind) => ({ ...kind, schema: kind.schema && toForm(kind.schema) }))),
  ];
}

const about = ({ provider, displayName, category, description }: ProviderDescription) => ({
  ...{ provider, name: displayName, category, description },
});

const aboutSource = (declared: SourceParticulars) => {
  const { streams, historyMonths, settingsSchema } = declared;
  return { ...about(declared), streams, historyMonths, settingsSchema };
};

/** For forms: describes the input, so fields with a default are optional. */
const toForm = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input' });
