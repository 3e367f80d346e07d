import type { ApiVersion } from '../kit/connector.js';

/** No end date is published. */
export const API_VERSION: ApiVersion = { name: 'v2', endsOn: null };
