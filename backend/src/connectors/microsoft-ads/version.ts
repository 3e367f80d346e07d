import type { ApiVersion } from '../kit/connector.js';

/** The only one that lives. Its SOAP half ends on 2027-01-31 and is not used here; for REST no end is published. */
export const API_VERSION: ApiVersion = { name: 'v13', endsOn: null };
