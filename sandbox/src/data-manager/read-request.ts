import { unreadable, type FieldViolation } from './errors.ts';
import { fieldsOf, type Field, type FieldType, type MessageName } from './schema.ts';
import type { IngestRequest } from './types.ts';

type JsonObject = Record<string, unknown>;

/** Reads JSON as the front end of Google APIs does: unknown names, wrong types and unknown enum values are rejected. */
export function readRequest(body: string): IngestRequest {
  const violations: FieldViolation[] = [];
  const request = readMessage(parse(body), 'IngestEventsRequest', '', violations);
  if (violations.length > 0) throw unreadable(violations);
  return request;
}

function parse(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    // Falls through to the rejection below.
  }
  throw unreadable([{ field: '', description: 'Invalid JSON payload received. Expected an object with the request.' }]);
}

function readMessage(value: JsonObject, message: MessageName, path: string, violations: FieldViolation[]): JsonObject {
  const known = fieldsOf(message);
  const read: JsonObject = {};
  for (const [name, given] of Object.entries(value)) {
    const field = known.get(name);
    if (!field) {
      const place = path ? ` at '${path}'` : '';
      const description = `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`;
      violations.push({ field: path, description });
    } else if (given !== null) {
      read[field.name] = readField(given, field, path ? `${path}.${field.snakeName}` : field.snakeName, violations);
    }
  }
  return read;
}

function readField(value: unknown, { isList, type }: Field, path: string, violations: FieldViolation[]): unknown {
  if (!isList) return readValue(value, type, path, violations);
  if (Array.isArray(value)) return value.map((item, index) => readValue(item, type, `${path}[${index}]`, violations));
  violations.push(wrong(path, nameOf(type), value));
  return [];
}

function readValue(value: unknown, type: FieldType, path: string, violations: FieldViolation[]): unknown {
  if (type.kind === 'message' && isObject(value)) return readMessage(value, type.message, path, violations);
  if (type.kind === 'enum' && typeof value === 'string' && type.values.includes(value)) return value;
  if (type.kind === 'enum' && Number.isInteger(value) && type.values[value as number]) return type.values[value as number];
  if (type.kind === 'scalar' && fits(value, type.scalar)) return type.scalar === 'double' ? Number(value) : value;
  violations.push(isBadTimestamp(value, type) ? badTimestamp(path, value) : wrong(path, nameOf(type), value));
  return undefined;
}

function fits(value: unknown, scalar: string): boolean {
  if (scalar === 'unread') return true;
  if (scalar === 'bool') return typeof value === 'boolean';
  if (scalar === 'string') return typeof value === 'string';
  if (scalar === 'timestamp') return typeof value === 'string' && isTimestamp(value);
  const text = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? String(value) : '';
  if (scalar === 'double') return text !== '' && Number.isFinite(Number(text));
  return /^-?\d+$/.test(text);
}

/** RFC 3339 with a zone. `Date.parse` rejects impossible times; impossible days such as 30 February are compared. */
function isTimestamp(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (!match || Number.isNaN(Date.parse(text))) return false;
  return new Date(`${match[1]}T00:00:00Z`).toISOString().startsWith(match[1] as string);
}

function isBadTimestamp(value: unknown, type: FieldType): value is string {
  return type.kind === 'scalar' && type.scalar === 'timestamp' && typeof value === 'string';
}

function badTimestamp(path: string, value: string): FieldViolation {
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  const problem = hasZone
    ? 'Invalid time format: Failed to parse input'
    : "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset.";
  return {
    field: path,
    description: `Invalid value at '${path}' (type.googleapis.com/google.protobuf.Timestamp), Field '${path.split('.').at(-1)}', ${problem}`,
  };
}

function wrong(path: string, typeName: string, value: unknown): FieldViolation {
  return { field: path, description: `Invalid value at '${path}' (${typeName}), ${JSON.stringify(value)}` };
}

function nameOf(type: FieldType): string {
  if (type.kind === 'enum') return `type.googleapis.com/${type.fullName}`;
  if (type.kind === 'message') return `type.googleapis.com/google.ads.datamanager.v1.${type.message}`;
  return type.scalar === 'timestamp' ? 'type.googleapis.com/google.protobuf.Timestamp' : `TYPE_${type.scalar.toUpperCase()}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
