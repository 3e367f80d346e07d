import type { ValidRequest } from './validate.ts';

/** Parts that Google ignores. The events are accepted. Custom variables do not exist in the accounts of the sandbox. */
export function warningsOf({ events }: ValidRequest): Record<string, string>[] {
  return events.flatMap(({ cartData, adIdentifiers, customVariables = [] }, index) => {
    const path = `events.events[${index}]`;
    const isBraid = Boolean(adIdentifiers?.gbraid ?? adIdentifiers?.wbraid);
    const cart = {
      reason: 'WARNING_REASON_CART_DATA_NOT_SUPPORTED_WITH_GBRAID_OR_WBRAID',
      description: 'The cart data is not supported with gbraid or wbraid.',
      field: `${path}.cart_data`,
    };
    const variables = customVariables.map((_, position) => ({
      reason: 'WARNING_REASON_CUSTOM_VARIABLE_NOT_ENABLED',
      description: 'The custom variable is not enabled in the account.',
      field: `${path}.custom_variables[${position}]`,
    }));
    return [...(cartData && isBraid ? [cart] : []), ...variables];
  });
}
