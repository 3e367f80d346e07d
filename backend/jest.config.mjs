export default {
  testEnvironment: 'node',
  // A test waits for what it expects, with limits of its own; this one only ends what hangs. Machines may be slow.
  testTimeout: 60_000,
  // Files mostly wait, for PostgreSQL and the sandbox: two processors are in use only when three files run at once.
  maxWorkers: 3,
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  setupFiles: ['<rootDir>/test/load-first.mjs'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  // Sources import the built names (.js); beside them lie the .ts files.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: ['/node_modules/'],
};
