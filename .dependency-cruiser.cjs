/** Which part of the code may import which. Every violation is an error. docs/architecture.md gives the reasons. */

/** The backend's modules in order: a module may import only from the modules before it. */
const MODULES = [
  ...[
    'core',
    'connectors',
    'read-models',
    'access',
    'audit',
    'alerts',
    'analytics',
    'users',
    'organizations',
    'members',
    'invitations',
  ],
  ...['billing', 'catalog', 'custom-apps', 'apps', 'sources', 'destinations', 'sync', 'connections'],
  ...['freshness', 'backfills', 'conversions', 'payments', 'configuration', 'demo'],
];
const FRONTEND_LAYERS = ['lib', 'domain', 'api', 'ui', 'session', 'components', 'features', 'app'];
const TESTS = '\\.spec\\.tsx?$';

const importsOnlyEarlier = (name, folder, parts) =>
  parts.slice(0, -1).map((part, index) => ({
    name: `${name}-${part}-imports-only-earlier`,
    severity: 'error',
    from: { path: `^${folder}/${part}/`, pathNot: TESTS },
    to: { path: `^${folder}/(${parts.slice(index + 1).join('|')})/` },
  }));

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Files that import each other belong in one file, or need a third one.', {}, { circular: true }),
    rule('no-unresolved', 'The import does not resolve.', {}, { couldNotResolve: true }),
    ...importsOnlyEarlier('backend', 'backend/src', MODULES),
    ...importsOnlyEarlier('frontend', 'frontend/src', FRONTEND_LAYERS),
    rule(
      'modules-through-index',
      'A module is imported through its index.ts. core, connectors/kit and the list of connectors are libraries.',
      { path: '^backend/src/([^/]+)/', pathNot: TESTS },
      {
        path: '^backend/src/[^/]+/',
        pathNot: [
          '^backend/src/$1/',
          '^backend/src/(core|generated)/',
          '^backend/src/connectors/(kit/|catalog|registry)',
          '^backend/src/[^/]+/index\\.ts$',
        ],
      },
    ),
    rule(
      'modules-do-not-import-the-root',
      'main.ts and app.module.ts put the modules together. No module imports them.',
      { path: '^backend/src/[^/]+/', pathNot: TESTS },
      { path: '^backend/src/[^/]+\\.ts$', pathNot: 'metadata\\.ts$' },
    ),
    rule(
      'connectors-stand-alone',
      'A connector may import the kit, npm packages and Node: no other connector, no module.',
      { path: '^backend/src/connectors/([^/]+)/', pathNot: TESTS },
      { path: '^backend/src/', pathNot: ['^backend/src/connectors/$1/', '^backend/src/connectors/kit/'] },
    ),
    rule(
      'connectors-without-framework',
      'A connector runs without Nest and without the product’s database.',
      { path: '^backend/src/connectors/' },
      { path: ['node_modules/@nestjs/', 'node_modules/@?prisma/', '^backend/src/generated/'] },
    ),
    rule(
      'no-database-in-controllers',
      'Controllers handle HTTP only: reads are in .queries, writes in .service.',
      { path: '\\.controller\\.ts$' },
      {
        path: [
          'node_modules/@?prisma/',
          'node_modules/pg/',
          '^backend/src/generated/',
          '^backend/src/core/database/(database|tenant)\\.ts$',
        ],
      },
    ),
    rule(
      'features-are-independent',
      'What two features share belongs in an earlier layer.',
      { path: '^frontend/src/features/([^/]+)/', pathNot: TESTS },
      { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    ),
    rule(
      'frontend-imports-openapi-only',
      'The OpenAPI document is the only file of the backend that the web app uses. A browser test uses a platform of the tests.',
      { path: '^frontend/' },
      { path: '^backend/', pathNot: '^backend/(openapi\\.json|test/connectors/invented/invented-platform\\.ts)$' },
    ),
    rule('backend-without-frontend', 'The API does not depend on the web app.', { path: '^backend/' }, { path: '^frontend/' }),
    rule(
      'product-without-sandbox',
      'The product uses base URLs only; tests start the sandbox as a process.',
      { path: '^(backend|frontend)/' },
      { path: '^sandbox/' },
    ),
    rule(
      'sandbox-without-product',
      'The sandbox follows the providers, not the product.',
      { path: '^sandbox/' },
      { path: '^(backend|frontend)/' },
    ),
    rule(
      'product-without-tools',
      'Tools serve developers and tests; the product is shipped without them.',
      { path: '^(backend|frontend)/src/', pathNot: TESTS },
      { path: '^tools/' },
    ),
    rule(
      'tools-without-product',
      'Tools start the product; they do not import it.',
      { path: '^tools/' },
      { path: '^(backend|frontend|sandbox)/' },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^backend/src/generated/'] },
    exclude: { path: '^(backend|frontend)/dist/' },
    tsPreCompilationDeps: true, // types are dependencies too
    combinedDependencies: true,
    tsConfig: { fileName: 'frontend/tsconfig.json' }, // the alias ~/
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
