SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- Until now, a member who was removed or left stayed in the rules for mail, and got the mails again after a return.
UPDATE "notification_rules" rule
   SET "member_ids" = ARRAY(SELECT id FROM unnest(rule."member_ids") AS id
                             WHERE EXISTS (SELECT FROM "members" m WHERE m."organization_id" = rule."organization_id" AND m."user_id" = id)),
       "version" = "version" + 1
 WHERE EXISTS (SELECT FROM unnest(rule."member_ids") AS id
                WHERE NOT EXISTS (SELECT FROM "members" m WHERE m."organization_id" = rule."organization_id" AND m."user_id" = id));

DELETE FROM "notification_rules"
 WHERE "channel" = 'mail' AND cardinality("roles") = 0 AND cardinality("member_ids") = 0;
