import type { z } from 'zod';
import type {
  DestinationConnector,
  KeySourceConnector,
  PaymentSourceConnector,
  SourceConnector,
  SourceSettings,
} from './connector.js';
import type { Category, ProviderName, Stream } from './contract.js';
import type { ConversionSourceConnector } from './conversion-source.js';
import type { ConversionTargetConnector } from './conversion-target.js';
import type { EgressPolicy } from './egress.js';
import type { Environment, EnvironmentValues } from './environment.js';

/**
 * A connector's folder declares everything that the product knows of its provider. `connectors/registry.ts` reads all folders, and
 * the catalog, the environment, the redirects and the lists of providers follow from the declarations.
 */

/** What a connector gets from the process that runs it. */
export interface Installation<Pace = object> {
  now(): Date;
  egress: EgressPolicy;
  /** For the operator's log. Absent in tests. */
  warn?(message: string): void;
  /** Other waits of this connector than its own defaults. Tests use shorter ones. */
  pace: Partial<Pace>;
}

/** Users sign in at the provider. */
export interface OauthSignIn {
  kind: 'oauth2';
  /**
   * Revoking a grant ends all grants of the user to this product at the same sign-in platform. Providers with the same name share it.
   * Default: the provider.
   */
  platform?: string;
  /** Pages of the web app that complete a sign-in. Default: the general page, `/{organization}/app/connect/{provider}`. */
  landing?: { connect(organizationId: string): string; reconnect: string };
}

/** Users enter a key. */
export interface KeySignIn {
  kind: 'api_key';
  schema: z.ZodType<{ apiKey: string }>;
}

/** The part of a connector that depends on the installation. */
type Described = 'provider' | 'name' | 'category' | 'description';
type DescribedSource = Described | 'streams' | 'historyMonths' | 'settingsSchema';
export type SourceParts = Omit<SourceConnector, DescribedSource>;
export type KeySourceParts = Omit<KeySourceConnector, DescribedSource | 'credentialsSchema'>;
export type PaymentSourceParts = Omit<PaymentSourceConnector, DescribedSource | 'credentialsSchema'>;
export type DestinationParts = Omit<DestinationConnector, Described | 'settingsSchema'>;

interface Connectable<Shape extends Environment, Needed extends keyof Shape, Pace, Connector> {
  /** Environment variables of this connector. Several connectors may declare the same variable, with the same object of the kit. */
  environment: Shape;
  /** Variables without which the provider is not offered. They must be set together. */
  requires?: readonly (Needed & string)[];
  create(environment: EnvironmentValues<Shape, Needed>, installation: Installation<Pace>): Connector;
}

export interface ProviderDescription {
  /** Stored with apps and part of URLs, so it never changes. Lower-case letters, digits and underscores. */
  provider: ProviderName;
  displayName: string;
  category: Category;
  description: string;
  /** Not part of the API's contract yet: it is offered, but the committed API document does not list it, unlike the instance's own. */
  isDraft?: boolean;
}

export interface SourceParticulars extends ProviderDescription {
  streams: Stream[];
  /** How far back the platform returns data, in calendar months; null: no limit. */
  historyMonths: number | null;
  /** Fields of the source form in addition to accounts, level and breakdowns; null: none. */
  settingsSchema: z.ZodType<SourceSettings> | null;
}

/** A source of which users sign in at the provider. */
export interface SourceDeclaration<Shape extends Environment = Environment, Needed extends keyof Shape = string, Pace = object>
  extends SourceParticulars, Connectable<Shape, Needed, Pace, SourceParts> {
  signIn: OauthSignIn;
}

/** A source that is opened with an entered key. In the category `payments` it also has the reads of payments. */
export interface KeySourceDeclaration<Shape extends Environment = Environment, Needed extends keyof Shape = string, Pace = object>
  extends SourceParticulars, Connectable<Shape, Needed, Pace, KeySourceParts | PaymentSourceParts> {
  signIn: KeySignIn;
}

/** A source whose rows external systems push. The module that stores them opens it. */
export interface PushSourceDeclaration extends SourceParticulars {
  signIn: { kind: 'push_key' };
}

export interface DestinationDeclaration<
  Shape extends Environment = Environment,
  Needed extends keyof Shape = string,
  Pace = object,
>
  extends ProviderDescription, Connectable<Shape, Needed, Pace, DestinationParts> {
  /** Null: users cannot sign in, but enter credentials with each destination. */
  signIn: OauthSignIn | null;
  /** Fields of the form. None of them is secret. */
  settingsSchema: z.ZodType<Record<string, unknown>>;
  /** It can store a row only once, so restated rows are sent as differences. */
  isAppendOnly?: boolean;
}

/** Part of a provider that is declared as a source or a destination, possibly by another folder. */
interface ConversionPart<Shape extends Environment, Needed extends keyof Shape, Pace, Connector> extends Connectable<
  Shape,
  Needed,
  Pace,
  Connector
> {
  provider: ProviderName;
}
export type ConversionSourceDeclaration<
  Shape extends Environment = Environment,
  Needed extends keyof Shape = string,
  Pace = object,
> = ConversionPart<Shape, Needed, Pace, ConversionSourceConnector>;
export type ConversionTargetDeclaration<
  Shape extends Environment = Environment,
  Needed extends keyof Shape = string,
  Pace = object,
> = ConversionPart<Shape, Needed, Pace, ConversionTargetConnector>;

/** What a folder exports. */
export type Declaration =
  | { kind: 'source'; declared: SourceDeclaration }
  | { kind: 'key_source'; declared: KeySourceDeclaration }
  | { kind: 'push_source'; declared: PushSourceDeclaration }
  | { kind: 'destination'; declared: DestinationDeclaration }
  | { kind: 'conversion_source'; declared: ConversionSourceDeclaration }
  | { kind: 'conversion_target'; declared: ConversionTargetDeclaration };

const made = new WeakSet<object>();
/** The types of variables and waits are erased here: `createConnectors` passes each connector what it declared. */
function define(kind: Declaration['kind'], declared: object): Declaration {
  const declaration = { kind, declared } as Declaration;
  made.add(declaration);
  return declaration;
}
export const isDeclaration = (exported: unknown): exported is Declaration =>
  typeof exported === 'object' && exported !== null && made.has(exported);

export function defineSource<Shape extends Environment, Needed extends keyof Shape = never, Pace = object>(
  declared: SourceDeclaration<Shape, Needed, Pace>,
): Declaration {
  return define('source', declared);
}

export function defineKeySource<Shape extends Environment, Needed extends keyof Shape = never, Pace = object>(
  declared: KeySourceDeclaration<Shape, Needed, Pace>,
): Declaration {
  return define('key_source', declared);
}

export const definePushSource = (declared: PushSourceDeclaration): Declaration => define('push_source', declared);

export function defineDestination<Shape extends Environment, Needed extends keyof Shape = never, Pace = object>(
  declared: DestinationDeclaration<Shape, Needed, Pace>,
): Declaration {
  return define('destination', declared);
}

export function defineConversionSource<Shape extends Environment, Needed extends keyof Shape = never, Pace = object>(
  declared: ConversionSourceDeclaration<Shape, Needed, Pace>,
): Declaration {
  return define('conversion_source', declared);
}

export function defineConversionTarget<Shape extends Environment, Needed extends keyof Shape = never, Pace = object>(
  declared: ConversionTargetDeclaration<Shape, Needed, Pace>,
): Declaration {
  return define('conversion_target', declared);
}
