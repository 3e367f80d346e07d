import { applyDecorators } from '@nestjs/common';
import { IsIn } from 'class-validator';
import type { ProviderNames } from '../connectors/registry.js';

/** Names of providers by field, `AppEntry.provider`, for the API document. */
export const providerFields = new Map<string, ProviderNames>();

/** A provider in an answer. */
export const ProviderOf =
  (names: ProviderNames): PropertyDecorator =>
  (body, field) =>
    void providerFields.set(`${body.constructor.name}.${String(field)}`, names);

/** A provider in a request. Others are rejected. */
export const IsProviderOf = (names: ProviderNames): PropertyDecorator => applyDecorators(IsIn(names.all), ProviderOf(names));
