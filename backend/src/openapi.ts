import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PERSON_ONLY } from './access/index.js';
import metadata from './metadata.js';
import { addAnswers } from './openapi/answers.js';
import { addBodyLimits } from './openapi/body-limits.js';
import { addBounds } from './openapi/bounds.js';
import { sortEnums } from './openapi/enums.js';
import { addExamples } from './openapi/examples.js';
import { type Handler, listHandlers } from './openapi/handlers.js';
import { addProviders } from './openapi/providers.js';
import { listOperations } from './openapi/schema.js';
import { addTexts } from './openapi/texts.js';

const DESCRIPTION = `Syncs data of ad accounts to destinations and verifies that every row arrived.

Every request needs \`Authorization: Bearer\` with a Firebase ID token or, below \`/api/v1/\`, an API key, unless stated otherwise:
[the first calls](/docs/api). Errors are
\`application/problem+json\`; their \`code\` is stable and listed at [/api/docs/errors](/api/docs/errors). Lists are paginated: send
\`nextCursor\` as \`cursor\` to get the next page.
Bodies are UTF-8 and at most 64 kB, unless stated otherwise.
A resource of another organization returns the same response as a resource that does not exist.`;

/**
 * The OpenAPI document of all endpoints. The web app's client is generated from it.
 * @param options the committed document is made without drafts, so that adding a connector does not change it
 */
export async function createDocument(app: INestApplication, options = { withDrafts: true }): Promise<OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Tributary')
    .setDescription(DESCRIPTION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setVersion('1')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'A Firebase ID token, valid for one hour. It is verified as RFC8725 requires: fixed algorithm, issuer, audience and expiry.',
    })
    .addSecurity('apiKey', {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key of the organization, `trb_` and 43 characters. It has at most the permissions of its creator, and expires after one year unless it was created with another expiry.',
    })
    .addSecurity('pushKey', { type: 'http', scheme: 'bearer', description: 'The key of a push endpoint, `trp_…`.' })
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method });
  document.info.contact = { name: 'The operator of this instance' };
  document.servers = [
    { url: '/', description: 'The instance this document comes from: production, staging or local.', ...IS_PUBLIC },
  ];
  const handlers = new Map(listHandlers(app).map((handler) => [handler.operationId, handler]));
  addSecurity(document, handlers);
  addProviders(document, options.withDrafts ? 'all' : 'documented');
  addBounds(document, handlers);
  addBodyLimits(document);
  addAnswers(document, handlers);
  addTexts(document, handlers);
  sortEnums(document);
  addExamples(document);
  return document;
}

const IS_PUBLIC = { 'x-internal': false };

/** Security requirements per operation. An empty requirement means that no sign-in is necessary. */
function addSecurity(document: OpenAPIObject, handlers: Map<string, Handler>): void {
  for (const { path, operation } of listOperations(document)) {
    // The handler checks the key, because the key identifies the endpoint.
    if (path.startsWith('/push/')) {
      operation.security = [{ pushKey: [] }];
      continue;
    }
    const rule = handlers.get(operation.operationId ?? '')?.rule;
    const kind = rule?.kind;
    const isForPrograms = rule?.kind === 'permission' && !PERSON_ONLY.has(rule.permission) && path.startsWith('/api/v1/');
    operation.security = [
      ...(kind === 'public' || kind === 'optional' ? [{}] : []),
      ...(kind === 'public' ? [] : [{ bearer: [] }]),
      ...(isForPrograms || (rule?.kind === 'signed-in' && rule.acceptsKeys) ? [{ apiKey: [] }] : []),
    ];
  }
}
