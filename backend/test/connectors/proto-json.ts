import protobuf from 'protobufjs';

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

/** The field with this name in JSON. */
export function fieldNamed(type: protobuf.Type, jsonName: string): protobuf.Field | null {
  return type.fieldsArray.find(({ name }) => protobuf.util.camelCase(name) === jsonName)?.resolve() ?? null;
}

/** Messages that the mapping writes as text. */
const asText: Record<string, RegExp> = {
  '.google.protobuf.Duration': /^\d+(\.\d+)?s$/,
  '.google.protobuf.FieldMask': /^[A-Za-z0-9.,]*$/,
  '.google.protobuf.Timestamp': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/,
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
