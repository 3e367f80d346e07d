import type { INestApplication, PipeTransform, Type } from '@nestjs/common';
import { ParseUUIDPipe } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule, NEEDS_SUBSCRIPTION, NEEDS_VERIFIED_EMAIL } from '../access/index.js';
import { ANSWERS } from '../core/api-docs/answers.decorator.js';
import type { ProblemCode } from '../core/http/problem.js';

/** A controller method that handles an endpoint. */
export interface Handler {
  controller: string;
  operationId: string;
  /** Undefined only when the access decorator was forgotten. */
  rule: AccessRule | undefined;
  /** Whether it requires an active subscription. */
  needsSubscription: boolean;
  /** Whether it requires a verified e-mail address. */
  needsVerifiedEmail: boolean;
  codes: ProblemCode[];
  /** Names of the parameters that must be UUIDs. */
  uuids: string[];
}

/** All handlers of the application, documented or not. */
export function listHandlers(app: INestApplication): Handler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => (metatype ? handlersOf(metatype as Type) : []));
}

function handlersOf(controller: Type): Handler[] {
  const methods = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(methods)
    .filter((name) => Reflect.hasMetadata('path', methods[name] ?? {}) && name !== 'constructor')
    .map((operationId) => {
      const method = methods[operationId] ?? {};
      return {
        controller: controller.name,
        operationId,
        rule: Reflect.getMetadata(ACCESS_RULE, method) as AccessRule | undefined,
        needsSubscription: Reflect.getMetadata(NEEDS_SUBSCRIPTION, method) === true,
        needsVerifiedEmail: Reflect.getMetadata(NEEDS_VERIFIED_EMAIL, method) === true,
        codes: (Reflect.getMetadata(ANSWERS, method) as ProblemCode[] | undefined) ?? [],
        uuids: uuidParameters(controller, operationId),
      };
    });
}

/** Nest stores the arguments of `@Param(name, pipe)` under this metadata key. */
function uuidParameters(controller: Type, operationId: string): string[] {
  const given = (Reflect.getMetadata('__routeArguments__', controller, operationId) ?? {}) as Record<
    string,
    { data?: unknown; pipes?: (PipeTransform | Type<PipeTransform>)[] }
  >;
  return Object.values(given)
    .filter(({ pipes = [] }) => pipes.some((pipe) => pipe === ParseUUIDPipe || pipe instanceof ParseUUIDPipe))
    .map(({ data }) => String(data));
}
