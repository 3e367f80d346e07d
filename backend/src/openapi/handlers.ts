import type { INestApplication, PipeTransform, Type } from '@nestjs/common';
import { ParseUUIDPipe } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule, NEEDS_SUBSCRIPTION, NEEDS_VERIFIED_EMAIL } from '../access/index.js';
import { ANSWERS } from '../core/api-docs/answers.decorator.js';
import type { ProblemCode } from '../core/http/problem.js';

/** One method of a controller that answers a call. */
export interface Handler {
  controller: string;
  operationId: string;
  /** Missing only by mistake. */
  rule: AccessRule | undefined;
  /** Whether it is refused while nothing is paid. */
  needsSubscription: boolean;
  /** Whether it is refused until the caller's e-mail address is verified. */
  needsVerifiedEmail: boolean;
  codes: ProblemCode[];
  /** Names of the parameters that must be UUIDs. */
  uuids: string[];
}

/** Every handler the product has, whatever the document says of it. */
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

/** Nest keeps what `@Param(name, pipe)` was given under this key of the class. */
function uuidParameters(controller: Type, operationId: string): string[] {
  const given = (Reflect.getMetadata('__routeArguments__', controller, operationId) ?? {}) as Record<
    string,
    { data?: unknown; pipes?: (PipeTransform | Type<PipeTransform>)[] }
  >;
  return Object.values(given)
    .filter(({ pipes = [] }) => pipes.some((pipe) => pipe === ParseUUIDPipe || pipe instanceof ParseUUIDPipe))
    .map(({ data }) => String(data));
}
