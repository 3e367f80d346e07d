import type { OpenAPIObject } from '@nestjs/swagger';
import { BODY_BYTES, bodyBytesOf, PUSH_BODY_BYTES, sizeText, WEBHOOK_BODY_BYTES } from '../core/http/body-limits.js';
import { listOperations } from './schema.js';

/** Documents the body limit of each operation that accepts more than the default. */
export function addBodyLimits(document: OpenAPIObject): void {
  for (const { method, path, operation } of listOperations(document)) {
    if (!operation.requestBody || '$ref' in operation.requestBody) continue;
    const bytes = OWN[path] ?? bodyBytesOf(method, path);
    if (bytes === BODY_BYTES) continue;
    const text = `At most ${sizeText(bytes)}.`;
    operation.requestBody.description = [operation.requestBody.description, text].filter(Boolean).join(' ');
  }
}

const OWN: Record<string, number> = {
  '/push/{pushKeyId}': PUSH_BODY_BYTES,
  '/webhooks/stripe': WEBHOOK_BODY_BYTES,
  '/webhooks/payments/{appId}': WEBHOOK_BODY_BYTES,
};
