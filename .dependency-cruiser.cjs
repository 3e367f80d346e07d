/** The arrows of the house: which part may know which. All of them are errors. docs/architecture.md says why. */

/** The backend's rooms stand in one line; imports look only left. */
const ROOMS = [
  ...['platform', 'connectors', 'access', 'audit', 'alerts', 'analytics', 'users', 'organizations', 'members'],
  ...['invitations', 'billing', 'apps', 'sources', 'destinations', 'sync', 'connections', 'conversions', 'payments'],
];
const FRONTEND_LAYERS = ['lib', 'ui', 'api', 'session', 'features', 'app'];
const TESTS = '\\.spec\\.tsx?$';

/** One rule per place in a line: it may not look at anything to its right. */
const looksOnlyLeft = (name, folder, line) =>
  line.slice(0, -1).map((room, index) => ({
    name: `${name}-${room}-looks-only-left`,
    severity: 'error',
    from: { path: `^${folder}/${room}/`, pathNot: TESTS },
    to: { path: `^${folder}/(${line.slice(index + 1).join('|')})/` },
  }));

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-circles', 'Two files that need each other are one file, or three.', {}, { circular: true }),
    rule('no-unresolved', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    ...looksOnlyLeft('backend', 'backend/src', ROOMS),
    ...looksOnlyLeft('frontend', 'frontend/src', FRONTEND_LAYERS),
    rule(
      'rooms-have-doors',
      'Into another room only through .service, .module, .guard, .decorator or .dto. platform, connectors/kit, the catalog and the table of permissions are libraries.',
      { path: '^backend/src/([^/]+)/', pathNot: TESTS },
      {
        path: '^backend/src/[^/]+/',
        pathNot: [
          '^backend/src/$1/',
          '^backend/src/(platform|generated)/',
          '^backend/src/connectors/(kit/|catalog)',
          '^backend/src/access/policy\\.ts$',
          '\\.(service|module|guard|decorator|dto)\\.ts$',
        ],
      },
    ),
    rule(
      'rooms-do-not-know-the-roof',
      'main.ts and app.module.ts put the rooms together; no room asks back.',
      { path: '^backend/src/[^/]+/', pathNot: TESTS },
      { path: '^backend/src/[^/]+\\.ts$', pathNot: 'metadata\\.ts$' },
    ),
    rule(
      'connectors-stand-alone',
      'A connector knows the kit, npm and Node: no other connector, no platform.',
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
      'A controller speaks HTTP only: reads are in .queries, writes in .service.',
      { path: '\\.controller\\.ts$' },
      {
        path: [
          'node_modules/@?prisma/',
          'node_modules/pg/',
          '^backend/src/generated/',
          '^backend/src/platform/(database|tenant)\\.ts$',
        ],
      },
    ),
    rule(
      'features-do-not-meet',
      'What two features share is in a layer to their left.',
      { path: '^frontend/src/features/([^/]+)/', pathNot: TESTS },
      { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    ),
    rule(
      'frontend-knows-the-contract-only',
      'The web app knows the backend by its OpenAPI document alone.',
      { path: '^frontend/' },
      { path: '^backend/', pathNot: '^backend/openapi\\.json$' },
    ),
    rule('backend-without-frontend', 'The API does not know the web app.', { path: '^backend/' }, { path: '^frontend/' }),
    rule(
      'product-without-sandbox',
      'The product knows base URLs; tests start the sandbox as a process.',
      { path: '^(backend|frontend)/' },
      { path: '^sandbox/' },
    ),
    rule('sandbox-without-product', 'It follows the providers, not us.', { path: '^sandbox/' }, { path: '^(backend|frontend)/' }),
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
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
