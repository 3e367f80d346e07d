import { z } from 'zod';
import { httpUrl } from '../environment.js';

/** App registration in Microsoft Entra, and the developer token of a Microsoft Advertising account. Unset: not offered. */
export const microsoftClient = {
  MICROSOFT_CLIENT_ID: z.string().min(1).optional(),
  MICROSOFT_CLIENT_SECRET: z.string().min(1).optional(),
  MICROSOFT_DEVELOPER_TOKEN: z.string().min(1).optional(),
  MICROSOFT_AUTHORIZE_URL: httpUrl.default('https://login.microsoftonline.com/common/oauth2/v2.0/authorize'),
  MICROSOFT_TOKEN_URL: httpUrl.default('https://login.microsoftonline.com/common/oauth2/v2.0/token'),
  MICROSOFT_CUSTOMER_URL: httpUrl.default('https://clientcenter.api.bingads.microsoft.com'),
  MICROSOFT_CAMPAIGN_URL: httpUrl.default('https://campaign.api.bingads.microsoft.com'),
  MICROSOFT_REPORTING_URL: httpUrl.default('https://reporting.api.bingads.microsoft.com'),
};
export const microsoftClientNames = ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET', 'MICROSOFT_DEVELOPER_TOKEN'] as const;
