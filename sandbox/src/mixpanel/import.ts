import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { sendJson, type Exchange } from '../router.ts';
import { authenticate, reachProject, readCredentials } from './access.ts';
import { MixpanelError } from './errors.ts';
import { loseSome, numberOf, rejectSome, type Strike } from './faults.ts';
import { projects, type Project, type Residency } from './projects.ts';
import type { MixpanelState } from './state.ts';
import { validateEvent, type FailedRecord, type ValidEvent } from './validate.ts';

const bodyLimitBytes = 10 * 1024 * 1024;
const eventLimit = 2_000;
const loggedCharacters = 4_000;

/** POST /import. The region is not checked: events sent to another region are accepted and lost. */
export async function importEvents(
  state: MixpanelState,
  exchange: Exchange,
  residency: Residency,
  strike: Strike,
): Promise<void> {
  const project = reachForImport(state, exchange);
  const text = await readText(exchange, strike);
  exchange.log.requestBody = text.slice(0, loggedCharacters);
  const records = parseRecords(text, exchange.request.headers['content-type'] ?? '');
  if (records.length > eventLimit) throw new MixpanelError(400, `request exceeds max limit of ${eventLimit} events`);
  const { valid, failed } = validateAll(state, exchange, records);
  failed.push(...rejectSome(strike('reject_events'), valid));
  const kept = loseSome(strike('drop_events'), [...valid.values()]);
  const delay = strike('delay_events');
  const delayMs = delay ? numberOf(delay, 'seconds', 5) * 1_000 : 0;
  const copies = strike('repeat_events') ? 2 : 1;
  if (project.residency === residency)
    for (let copy = 0; copy < copies; copy++) state.events.add(project.id, kept, state.now(), delayMs);
  const lostAnswer = strike('fail_after_applying');
  if (lostAnswer?.parameters.drop === true) return void exchange.response.destroy();
  if (lostAnswer) throw new MixpanelError(503, 'Service Unavailable');
  answer(state, exchange, valid.size, failed);
}

/** A service account with `project_id`, or the project's token as user name without a password. */
function reachForImport(state: MixpanelState, { request, url }: Exchange): Project {
  const credentials = readCredentials(request);
  const byToken = [...projects.values()].find(({ token }) => token === credentials?.username && credentials.secret === '');
  if (byToken) return byToken;
  const projectId = url.searchParams.get('project_id');
  if (credentials && projectId === null) {
    const manual = 'https://developer.mixpanel.com/reference/authentication#project-secret';
    throw new MixpanelError(401, `Unauthorized, invalid project secret. See docs for more information: ${manual}`);
  }
  return reachProject(authenticate(request, state.faults), projectId, ['admin']);
}

async function readText({ request }: Exchange, strike: Strike): Promise<string> {
  const fault = strike('payload_limit');
  const limit = fault ? numberOf(fault, 'bytes', 2_097_152) : bodyLimitBytes;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
  }
  if (bytes > limit) throw tooLarge(limit);
  return unpack(Buffer.concat(chunks), request.headers['content-encoding'], limit);
}

function unpack(body: Buffer, encoding: string | undefined, limit: number): string {
  if (encoding !== 'gzip') return body.toString('utf8');
  try {
    return gunzipSync(body, { maxOutputLength: limit }).toString('utf8');
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(limit);
    throw new MixpanelError(400, 'Unable to read the request body: invalid gzip');
  }
}

function tooLarge(limit: number): MixpanelError {
  return new MixpanelError(413, `request exceeds max limit of ${limit} bytes`);
}

function parseRecords(text: string, contentType: string): unknown[] {
  try {
    if (contentType.includes('ndjson'))
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as unknown);
    const records: unknown = JSON.parse(text);
    if (Array.isArray(records)) return records;
  } catch {
    // Falls through to the rejection below.
  }
  throw new MixpanelError(400, 'Unable to parse the request body: expected a JSON array or newline-delimited JSON');
}

function validateAll(
  state: MixpanelState,
  { request }: Exchange,
  records: unknown[],
): { valid: Map<number, ValidEvent>; failed: FailedRecord[] } {
  const valid = new Map<number, ValidEvent>();
  const failed: FailedRecord[] = [];
  const senderId = createHash('sha256').update(String(request.socket.remoteAddress)).digest('hex').slice(0, 32);
  for (const [index, record] of records.entries()) {
    const result = validateEvent(record, state.now(), senderId);
    if (result.isValid) valid.set(index, result.event);
    else failed.push({ index, insertId: result.insertId, field: result.field, message: result.message });
  }
  return { valid, failed };
}

/** Without strict=1 the answer is 200, also with rejected events. */
function answer(state: MixpanelState, { response, url }: Exchange, imported: number, failed: FailedRecord[]): void {
  const isStrict = url.searchParams.get('strict') === '1';
  if (failed.length === 0) return sendJson(response, 200, { code: 200, num_records_imported: imported, status: 'OK' });
  const error = 'some data points in the request failed validation';
  if (!isStrict) return sendJson(response, 200, { code: 200, error, num_records_imported: imported, status: 0 });
  state.refusals += 1;
  // The reference uses both names of the key.
  const idName = state.refusals % 2 === 1 ? '$insert_id' : 'insert_id';
  sendJson(response, 400, {
    code: 400,
    error,
    failed_records: failed
      .sort((left, right) => left.index - right.index)
      .map(({ index, insertId, field, message }) => ({ index, [idName]: insertId, field, message })),
    num_records_imported: imported,
    status: 'Bad Request',
  });
}
