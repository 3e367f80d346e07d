import type { ApiVersion } from '../kit/connector.js';

/** The only supported version. Its SOAP API, which ends on 2027-01-31, is not used here. No end date is published for REST. */
export const API_VERSION: ApiVersion = { name: 'v13', endsOn: null };
