-- Few days change after they have settled. Without this index the list of restated days reads every changed day.
CREATE INDEX "coverage_changes_restated_idx" ON "coverage_changes" ("organization_id", "connection_id", "day") WHERE "was_settled";
