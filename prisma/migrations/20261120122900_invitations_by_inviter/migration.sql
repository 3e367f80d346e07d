-- CreateIndex
CREATE INDEX "invitations_inviter_id_sent_at_idx" ON "invitations"("inviter_id", "sent_at");
