-- CreateEnum
CREATE TYPE "schema_policy" AS ENUM ('propagate_all', 'propagate_columns', 'approve', 'pause');

-- CreateEnum
CREATE TYPE "empty_policy" AS ENUM ('expect_rows', 'allow_empty');

-- CreateEnum
CREATE TYPE "schema_change_kind" AS ENUM ('stream_added', 'stream_removed', 'columns_added', 'columns_removed', 'types_changed', 'table_changed', 'table_columns_lost');

-- CreateEnum
CREATE TYPE "schema_change_state" AS ENUM ('pending', 'approved', 'ignored', 'applied', 'reverted');

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "empty_policy" "empty_policy" NOT NULL DEFAULT 'expect_rows',
ADD COLUMN     "hashed" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "schema_policy" "schema_policy" NOT NULL DEFAULT 'propagate_columns';

-- CreateTable
CREATE TABLE "offered_schemas" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "streams" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "offered_schemas_pkey" PRIMARY KEY ("organization_id","connection_id")
);

-- CreateTable
CREATE TABLE "schema_changes" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "kind" "schema_change_kind" NOT NULL,
    "diff" JSONB NOT NULL DEFAULT '[]',
    "is_breaking" BOOLEAN NOT NULL,
    "state" "schema_change_state" NOT NULL DEFAULT 'pending',
    "run_id" UUID NOT NULL,
    "detected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,

    CONSTRAINT "schema_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "schema_changes_organization_id_connection_id_id_idx" ON "schema_changes"("organization_id", "connection_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "schema_changes_organization_id_id_key" ON "schema_changes"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "offered_schemas" ADD CONSTRAINT "offered_schemas_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schema_changes" ADD CONSTRAINT "schema_changes_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Each run finds a changed table again, and stores it once.
CREATE UNIQUE INDEX "schema_changes_one_changed_table" ON "schema_changes" ("organization_id", "connection_id", "stream") WHERE "kind" = 'table_changed' AND "state" = 'pending';

COMMENT ON COLUMN "connections"."hashed" IS 'Text columns that are stored as SHA-256 hashes, by stream: {campaign_daily: [campaign_name]}.';
COMMENT ON COLUMN "connections"."schema_policy" IS 'What happens when the source offers other streams or columns: propagate_all, propagate_columns, approve or pause.';
COMMENT ON COLUMN "connections"."empty_policy" IS 'Whether a slice without rows is accepted although no total of the provider confirms it: expect_rows or allow_empty.';
COMMENT ON COLUMN "connections"."schedule" IS '{kind: manual | interval | daily | cron, everyMinutes, atTime, cron, notBefore, timeZone}.';
COMMENT ON TABLE "offered_schemas" IS 'Offered schemas: the streams and columns that the source of a connection offered to its last run. The next run compares them.';
COMMENT ON COLUMN "offered_schemas"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "offered_schemas"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "offered_schemas"."streams" IS '{stream: {column: type}}.';
COMMENT ON COLUMN "offered_schemas"."changed_at" IS 'When a run last found a difference.';
COMMENT ON TABLE "schema_changes" IS 'Schema changes: differences that a run found between what the source offers or the destination''s table has, and what the connection wrote before.';
COMMENT ON COLUMN "schema_changes"."id" IS 'UUIDv7.';
COMMENT ON COLUMN "schema_changes"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "schema_changes"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "schema_changes"."stream" IS 'Name of the stream.';
COMMENT ON COLUMN "schema_changes"."kind" IS 'stream_added, stream_removed, columns_added, columns_removed or types_changed at the source; table_changed or table_columns_lost at the destination.';
COMMENT ON COLUMN "schema_changes"."diff" IS '[{column, before, after}]: the changed columns with their types; null where the column does not exist. Empty for whole streams.';
COMMENT ON COLUMN "schema_changes"."is_breaking" IS 'Whether queries of the table can fail or runs fail because of it.';
COMMENT ON COLUMN "schema_changes"."state" IS 'pending: waits for a decision; approved or ignored by a user; applied by the policy; reverted: the difference no longer exists.';
COMMENT ON COLUMN "schema_changes"."run_id" IS 'The run that found it.';
COMMENT ON COLUMN "schema_changes"."detected_at" IS 'When it was found.';
COMMENT ON COLUMN "schema_changes"."decided_at" IS 'When it was approved, ignored, applied or reverted; null: pending.';
COMMENT ON COLUMN "schema_changes"."decided_by" IS 'Firebase uid of the user who approved or ignored it; null: no user decided.';
