import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { categories, type ProviderName } from './kit/contract.js';
import { type Declaration, isDeclaration } from './kit/declaration.js';
import type { Environment } from './kit/environment.js';

/** Every folder next to this file with an index is a connector. A connector is added as a folder, without a list of folders. */
async function readFolders(): Promise<Declaration[]> {
  const file = fileURLToPath(import.meta.url);
  const index = `index${path.extname(file)}`;
  const indexes = readdirSync(path.dirname(file), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(path.dirname(file), name, index))
    .filter((each) => existsSync(each))
    .sort();
  const modules = await Promise.all(indexes.map((each) => import(pathToFileURL(each).href) as Promise<Record<string, unknown>>));
  return modules.flatMap((exported) => Object.values(exported).filter(isDeclaration));
}

/** A source or destination, which other parts of the same provider depend on. */
export type ProviderDeclaration = Extract<Declaration, { declared: { displayName: string } }>;
const isProvider = (declaration: Declaration): declaration is ProviderDeclaration => 'displayName' in declaration.declared;

/** Sources by category and then destinations, each by name. */
function byRoleAndName(one: ProviderDeclaration, other: ProviderDeclaration): number {
  const rank = ({ kind, declared }: ProviderDeclaration) =>
    kind === 'destination' ? categories.length : categories.indexOf(declared.category);
  return rank(one) - rank(other) || (one.declared.provider < other.declared.provider ? -1 : 1);
}

export const declarations: readonly Declaration[] = await readFolders();
export const providers: readonly ProviderDeclaration[] = declarations.filter(isProvider).sort(byRoleAndName);

const NAME = /^[a-z][a-z0-9_]{1,39}$/;

/** A mistake in a folder stops every command, so that it is found before a user sees it. */
function assertConsistent(): void {
  const names = providers.map(({ declared }) => declared.provider);
  for (const name of names) {
    if (!NAME.test(name)) throw new Error(`The provider ${name} needs a name of lower-case letters, digits and underscores`);
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Error(`The provider ${name} is declared twice`);
  }
  for (const { kind, declared } of declarations)
    if (!names.includes(declared.provider)) throw new Error(`A ${kind} of ${declared.provider} needs a source or destination`);
}
assertConsistent();

function readEnvironment(): Environment {
  const shape: Record<string, Environment[string]> = {};
  for (const { declared } of declarations) {
    for (const [name, schema] of Object.entries('environment' in declared ? declared.environment : {})) {
      if ((shape[name] ?? schema) !== schema) throw new Error(`${name} is declared twice, with different rules`);
      shape[name] = schema;
    }
  }
  return shape;
}

/** Environment variables of all connectors. */
export const connectorSettings = {
  shape: readEnvironment(),
  /** Names of variables that must be set together. */
  together: [...new Set(declarations.map(({ declared }) => ('requires' in declared ? (declared.requires ?? []) : [])))],
};

/** Names of providers, in the order of the catalog. `documented` excludes drafts. */
export interface ProviderNames {
  all: ProviderName[];
  documented: ProviderName[];
}

function namesOf(isIncluded: (declaration: ProviderDeclaration) => boolean): ProviderNames {
  const included = providers.filter(isIncluded);
  const toName = ({ declared }: ProviderDeclaration) => declared.provider;
  return { all: included.map(toName), documented: included.filter(({ declared }) => !declared.isDraft).map(toName) };
}

const isPartOf =
  (kind: Declaration['kind']) =>
  ({ declared: { provider } }: ProviderDeclaration): boolean =>
    declarations.some((one) => one.kind === kind && one.declared.provider === provider);
const isPush = isPartOf('push_source');
const isPayment = ({ declared: { category } }: ProviderDeclaration) => category === 'payments';

export const allProviders = namesOf(() => true);
export const sourceProviders = namesOf(({ kind }) => kind !== 'destination');
export const destinationProviders = namesOf(({ kind }) => kind === 'destination');
/** Their rows are read at a platform; external systems push the rows of the others. */
export const platformProviders = namesOf((one) => one.kind !== 'destination' && !isPush(one));
/** Their sources are parts of payments. */
export const paymentProviders = namesOf(isPayment);
/** Their apps are created alone. Apps of the others are created with their destination. */
export const createdProviders = namesOf(({ kind, declared: { signIn } }) => kind !== 'destination' || signIn !== null);
/** Users sign in at the provider, which redirects them back. */
export const signInProviders = namesOf(({ declared: { signIn } }) => signIn?.kind === 'oauth2');
/** Pushed events, and every connector that reads events. */
export const conversionSourceProviders = namesOf((one) => isPush(one) || isPartOf('conversion_source')(one));
export const conversionTargetProviders = namesOf(isPartOf('conversion_target'));
/** They store a row only once and cannot replace it. */
export const appendOnlyProviders = namesOf((one) => one.kind === 'destination' && one.declared.isAppendOnly === true);

/** Providers with a sign-in at the same platform, where revoking one grant ends all. */
export function samePlatform(provider: ProviderName): ProviderName[] {
  const platformOf = ({ declared }: ProviderDeclaration): string =>
    (declared.signIn && 'platform' in declared.signIn ? declared.signIn.platform : undefined) ?? declared.provider;
  const platforms = providers.filter(({ declared }) => declared.provider === provider).map(platformOf);
  return providers.filter((one) => platforms.includes(platformOf(one))).map(({ declared }) => declared.provider);
}

/** Pages that complete a sign-in at the provider. Null: it has no sign-in. */
export function landingOf(provider: ProviderName, organizationId: string): { connect: string; reconnect: string } | null {
  const signIn = providers.find(({ declared }) => declared.provider === provider)?.declared.signIn;
  if (signIn?.kind !== 'oauth2') return null;
  const general = `/${organizationId}/app/connect/${provider}`;
  return { connect: signIn.landing?.connect(organizationId) ?? general, reconnect: signIn.landing?.reconnect ?? general };
}

/** The page that shows a failed sign-in of an unknown organization. Null: none. */
export function failureLandingOf(provider: ProviderName): string | null {
  const signIn = providers.find(({ declared }) => declared.provider === provider)?.declared.signIn;
  return (signIn?.kind === 'oauth2' ? signIn.landing?.reconnect : null) ?? null;
}
