-- DropIndex
DROP INDEX "outbox_messages_state_next_attempt_at_idx";

-- AlterTable
ALTER TABLE "outbox_messages" ADD COLUMN     "sequence" TEXT,
ADD COLUMN     "user_id" TEXT;

-- CreateIndex
CREATE INDEX "outbox_messages_kind_state_next_attempt_at_idx" ON "outbox_messages"("kind", "state", "next_attempt_at");

-- CreateIndex
CREATE INDEX "outbox_messages_sequence_state_id_idx" ON "outbox_messages"("sequence", "state", "id");

-- CreateIndex
CREATE INDEX "outbox_messages_user_id_created_at_idx" ON "outbox_messages"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "runs_organization_id_ended_at_idx" ON "runs"("organization_id", "ended_at");
COMMENT ON COLUMN "outbox_messages"."sequence" IS 'Messages of one sequence are delivered in the order they were written; null: in any order.';
COMMENT ON COLUMN "outbox_messages"."user_id" IS 'uid of whose doing the product itself tells of: a client that tells of it too is known by it; null for everything else.';
