import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.spec.{ts,tsx}', '**/test/**', '**/e2e/**'];

/** The rules that need types are in .oxlintrc.json. */
export default defineConfig(
  globalIgnores([
    '**/node_modules/',
    '**/dist/',
    'coverage/',
    '*/coverage/',
    '**/test-results/',
    '**/playwright-report/',
    '.data/',
    '.tmp/',
    'backend/src/generated/',
    'backend/src/metadata.ts',
    'frontend/src/api/schema.d.ts',
  ]),
  js.configs.recommended,
  tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // Nest modules are classes with only a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-empty-function': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'max-lines': ['error', { max: 400 }],
    },
  },
  {
    files: ['**/*.{ts,tsx,mjs,js}'],
    ignores: TESTS,
    rules: { 'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }] },
  },
  { files: ['frontend/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat.recommended] },
  {
    files: ['frontend/src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['../*'], message: 'Import files of other folders as ~/… (relative to frontend/src).' }] },
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      // A wrong `!` makes the test fail, which is intended.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.object.name=/^(it|test|describe)$/][callee.property.name=/^(skip|only)$/]',
          message: 'Remove skip or only. All tests must run.',
        },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        WebAssembly: 'readonly',
        module: 'writable',
        require: 'readonly',
      },
    },
  },
  {
    files: ['frontend/public/**', 'backend/public/**'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'fetch', 'localStorage', 'location', 'matchMedia', 'Option', 'structuredClone', 'window'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
);
