-- CreateIndex
CREATE INDEX "api_keys_created_by_idx" ON "api_keys"("created_by");
