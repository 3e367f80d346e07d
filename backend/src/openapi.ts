import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PERSON_ONLY } from './access/index.js';
import metadata from './metadata.js';
import { addAnswers } from './openapi/answers.js';
import { addBodyLimits } from './openapi/body-limits.js';
import { addBounds } from './openapi/bounds.js';
import { addExamples } from './openapi/examples.js';
import { type Handler, listHandlers } from './openapi/handlers.js';
import { listOperations } from './openapi/schema.js';
import { addTexts } from './openapi/texts.js';

const DESCRIPTION = `Connects ad accounts to where their data is needed, and proves that every row arrived.

Every call takes \`Authorization: Bearer\` with a Firebase ID token, unless it says otherwise. Errors are \`application/problem+json\`;
their \`code\` is stable and listed at [/api/docs/errors](/api/docs/errors). Lists come in pages: pass \`nextCursor\` back as \`cursor\`.
Bodies are UTF-8 and at most 64 kB, unless a call says otherwise.
What belongs to another organization answers exactly as what does not exist.`;

/** The one description of every call, from which the web app's client is generated. */
export async function createDocument(app: INestApplication): Promise<OpenAPIObject> {
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
        'A Firebase ID token, good for an hour. Verified as RFC8725 asks: algorithm fixed, issuer, audience and expiry checked.',
    })
    .addSecurity('apiKey', {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key of the organization, `trb_` and 43 characters; it does no more than its maker may, and expires after a year unless it was created with another end.',
    })
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method });
  document.info.contact = { name: 'Whoever runs this instance' };
  document.servers = [
    { url: '/', description: 'The instance this document comes from: production, staging or local.', ...IS_PUBLIC },
  ];
  const handlers = new Map(listHandlers(app).map((handler) => [handler.operationId, handler]));
  addSecurity(document, handlers);
  addBounds(document, handlers);
  addBodyLimits(document);
  addAnswers(document, handlers);
  addTexts(document, handlers);
  addExamples(document);
  return document;
}

const IS_PUBLIC = { 'x-internal': false };

/** Said per call: an empty requirement means that nobody need sign in. */
function addSecurity(document: OpenAPIObject, handlers: Map<string, Handler>): void {
  for (const { path, operation } of listOperations(document)) {
    const rule = handlers.get(operation.operationId ?? '')?.rule;
    const kind = rule?.kind;
    const isForPrograms = rule?.kind === 'permission' && !PERSON_ONLY.has(rule.permission) && path.startsWith('/api/v1/');
    operation.security = [
      ...(kind === 'public' || kind === 'optional' ? [{}] : []),
      ...(kind === 'public' ? [] : [{ bearer: [] }]),
      ...(isForPrograms ? [{ apiKey: [] }] : []),
    ];
  }
}
