-- A custom app is the account of its own source. New apps get it when they are created.
UPDATE "apps"
SET "accounts" = jsonb_build_array(jsonb_build_object(
  'externalId', "id", 'name', "display_name", 'timeZone', 'UTC', 'currency', 'XXX',
  'status', 'enabled', 'managerId', NULL, 'managerName', NULL))
WHERE "provider" = 'custom' AND "accounts" = '[]';
