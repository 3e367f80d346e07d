import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import protobuf from 'protobufjs';
import { fieldNamed } from '../proto-json.js';

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
