SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- A search reads the text of all connections of an organization. In the index of the list's order, the texts of 10,000 connections are
-- on about 170 pages instead of 10,000 reads of the table. An entry of an index has at most 2,704 bytes: 480 for the name and 2,000
-- for 500 characters.

UPDATE "connection_facts" SET "search_text" = left("search_text", 500) WHERE length("search_text") > 500;
COMMENT ON COLUMN "connection_facts"."search_text" IS 'What the list searches, in lower case: the names of the connection, its source and its destination, and its tags. At most 500 characters.';

-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "connection_facts_order";
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "connection_facts_order" ON "connection_facts"("organization_id", "severity", "name", "connection_id", "search_text");

-- A search reads rows that changed since the last vacuum from the table. Each run changes the facts of its connection.
ALTER TABLE "connection_facts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
