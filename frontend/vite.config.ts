import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { chunks } from './build/chunks.ts';
import { inlineColorScheme } from './build/color-scheme.ts';
import { docsSite } from './build/docs/plugin.ts';
import { buildMetadata, precompress } from './build/precompress.ts';

const BACKEND_URL = process.env.BACKEND_URL ?? 'http://localhost:3000';
const build = process.env.BUILD_ID ?? randomBytes(6).toString('hex');
const toBackend = { target: BACKEND_URL, changeOrigin: true };

/** The package resolves to its development build, with its warnings and checks, also in a production build. */
const productionRouter = (entry: string) => ({
  find: new RegExp(`^${entry}$`),
  replacement: fileURLToPath(import.meta.resolve(entry)).replace('development', 'production'),
});

export default defineConfig(({ command }) => ({
  plugins: [react(), inlineColorScheme(), docsSite(), buildMetadata(build), precompress()],
  resolve: {
    alias: [
      { find: '~', replacement: fileURLToPath(new URL('src', import.meta.url)) },
      ...(command === 'build' ? [productionRouter('react-router'), productionRouter('react-router/dom')] : []),
    ],
  },
  define: { __BUILD__: JSON.stringify(build) },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      '/api': toBackend,
      '/billing': toBackend,
      '/push': toBackend,
      '/reconnect': toBackend,
      '/config.json': toBackend,
      '/healthz': toBackend,
      '/readyz': toBackend,
    },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    // One style sheet (20 kB compressed) instead of five requests before the first list.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: chunks } },
  },
  test: {
    include: ['src/**/*.spec.ts', 'src/**/*.spec.tsx', 'build/**/*.spec.ts'],
    environment: 'node',
    env: { TZ: 'UTC' },
    // These limits only end what hangs: a busy machine may be slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Files of one process share the loaded modules: loading them again for each file takes most of the processor time.
    isolate: false,
  },
}));
