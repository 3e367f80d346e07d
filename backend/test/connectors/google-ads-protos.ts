import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import protobuf from 'protobufjs';

const file = createRequire(import.meta.url).resolve('google-ads-node/build/protos/protos.json');
const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace);

/** The newest API version in the package. */
export const PROTO_VERSION = 'v25';

export function messageOf(name: string): protobuf.Type {
  return root.lookupType(`google.ads.googleads.${PROTO_VERSION}.${name}`);
}

/** The field at a path of the query language, such as `campaign.id` or `metrics.cost_micros`; null if there is none. */
export function fieldAt(path: string): protobuf.Field | null {
  let type: protobuf.Type | null = messageOf('services.GoogleAdsRow');
  let field: protobuf.Field | null = null;
  for (const name of path.split('.')) {
    field = type?.fields[name]?.resolve() ?? null;
    if (!field) return null;
    type = field.resolvedType instanceof protobuf.Type ? field.resolvedType : null;
  }
  return field;
}

/** The codes of an error category, such as `quotaError`; null if there is none. */
export function errorCodesOf(category: string): string[] | null {
  const field = fieldNamed(messageOf('errors.ErrorCode'), category);
  return field?.resolvedType instanceof protobuf.Enum ? Object.keys(field.resolvedType.values) : null;
}

/** Differences between JSON and the message in the proto3 mapping; empty if there are none. */
export function problemsOf(type: protobuf.Type, json: unknown, at = type.name): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [`${at} is not an object`];
  return Object.entries(json).flatMap(([name, value]) => {
    const field = fieldNamed(type, name);
    if (!field) return [`${at}.${name} is not in ${type.name}`];
    if (!field.repeated) return problemsOfValue(field, value, `${at}.${name}`);
    if (!Array.isArray(value)) return [`${at}.${name} is not a list`];
    return value.flatMap((item, index) => problemsOfValue(field, item, `${at}.${name}[${index}]`));
  });
}

function fieldNamed(type: protobuf.Type, jsonName: string): protobuf.Field | null {
  return type.fieldsArray.find(({ name }) => protobuf.util.camelCase(name) === jsonName)?.resolve() ?? null;
}

/** Messages that the mapping writes as text. */
const asText: Record<string, RegExp> = {
  '.google.protobuf.Duration': /^\d+(\.\d+)?s$/,
  '.google.protobuf.FieldMask': /^[A-Za-z0-9.,]*$/,
};
const scalars: Record<string, (value: unknown) => boolean> = {
  int64: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  int32: Number.isInteger,
  double: Number.isFinite,
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
};

function problemsOfValue({ type, resolvedType }: protobuf.Field, value: unknown, at: string): string[] {
  const isText = asText[resolvedType?.fullName ?? ''];
  if (isText) return typeof value === 'string' && isText.test(value) ? [] : [`${at} is not ${type}`];
  if (resolvedType instanceof protobuf.Type) return problemsOf(resolvedType, value, at);
  const fits = resolvedType ? Object.keys(resolvedType.values).includes(String(value)) : scalars[type]?.(value);
  return fits ? [] : [`${at} is ${JSON.stringify(value)}, not ${type}`];
}
