/** The variables of the commands in docs/api.md and docs/freshness.md. */
export const shellVariables = (url: string, apiKey: string, organizationId: string): string =>
  [
    `export TRIBUTARY_URL=${url}`,
    `export TRIBUTARY_API_KEY=${apiKey}`,
    `export ORGANIZATION_ID=${organizationId}`,
    'organization="$TRIBUTARY_URL/api/v1/organizations/$ORGANIZATION_ID"',
    'authorization="Authorization: Bearer $TRIBUTARY_API_KEY"',
  ].join('\n');
