import { createInterface } from 'node:readline';
import { lastPanic } from './load-engine.mjs';

/**
 * The binary's protocol: JSON-RPC with one line per message on stdin and stdout, and JSON log lines on stderr.
 * @typedef {{ id: number, method?: string, params?: unknown }} Request
 * @typedef {{ call(method: string, parameters: unknown): Promise<unknown> }} Calls
 */

/** JSON-RPC code of all errors of the engine. The CLI reads the details from `data`. */
const ENGINE_ERROR = 4466;
/** Exit code that the CLI treats as a panic. */
const PANIC_EXIT_CODE = 101;

/**
 * @param {'INFO' | 'ERROR'} level
 * @param {string} message
 * @param {object} [fields]
 */
export function log(level, message, fields = {}) {
  const line = { timestamp: new Date().toISOString(), level, fields: { message, ...fields }, target: 'schema_engine::logger' };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/**
 * @param {object} message
 * @param {() => void} [onSent]
 */
function send(message, onSent) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, onSent);
}

/**
 * Handles requests one after the other until stdin closes.
 * @param {Calls} calls
 */
export function serve(calls) {
  /** @type {number | undefined} */
  let currentId;
  let queue = Promise.resolve();
  // A panic of the WebAssembly engine does not settle its promise. It is handled here, so that the request gets a response.
  process.on('uncaughtException', (error) => {
    const message = `the schema engine panicked: ${lastPanic() ?? error.stack}`;
    if (currentId === undefined) return process.exit(1);
    send({ id: currentId, error: failure('panic', message) }, () => process.exit(PANIC_EXIT_CODE));
  });
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (!line.trim()) return;
    const request = /** @type {Request} */ (JSON.parse(line));
    if (!request.method) return; // the CLI's response to our `print`
    queue = queue.then(async () => {
      currentId = request.id;
      await answer(calls, request);
      currentId = undefined;
    });
  });
  lines.on('close', () => void queue.finally(() => process.exit(0)));
}

/**
 * @param {Calls} calls
 * @param {Request} request
 */
async function answer(calls, { id, method = '', params }) {
  try {
    const result = await calls.call(method, params);
    const content = /** @type {{ stdout?: unknown } | null} */ (result)?.stdout;
    // The binary prints a diff through the CLI; the WebAssembly build only returns it.
    if (method === 'diff' && typeof content === 'string') send({ id: `print-${id}`, method: 'print', params: { content } });
    send({ id, result: result ?? null });
  } catch (caught) {
    const error = /** @type {Error & { meta?: unknown, code?: string }} */ (caught);
    if (process.env.DEBUG) log('ERROR', error.stack ?? String(error));
    const message = lastPanic() ?? error.message ?? String(error);
    send({ id, error: failure('An error happened. Check the data field for details.', message, error) });
  }
}

/**
 * @param {string} summary
 * @param {string} message
 * @param {{ name?: string, meta?: unknown, code?: string }} [error]
 */
function failure(summary, message, error) {
  const data = { is_panic: error?.name === 'RuntimeError', message, meta: error?.meta ?? null, error_code: error?.code ?? null };
  return { code: ENGINE_ERROR, message: summary, data };
}
