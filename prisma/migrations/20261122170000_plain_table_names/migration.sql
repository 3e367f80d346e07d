-- Tables named after what they hold. Only names change.
ALTER TABLE "sent_rows" RENAME TO "delivery_ledger";
ALTER TABLE "learned_windows" RENAME TO "account_lookbacks";
ALTER TABLE "loaded_targets" RENAME TO "stream_targets";
ALTER TABLE "account_lookbacks" RENAME CONSTRAINT "learned_windows_pkey" TO "account_lookbacks_pkey";
ALTER TABLE "delivery_ledger" RENAME CONSTRAINT "sent_rows_pkey" TO "delivery_ledger_pkey";
ALTER TABLE "stream_targets" RENAME CONSTRAINT "loaded_targets_pkey" TO "stream_targets_pkey";
ALTER TABLE "account_lookbacks" RENAME CONSTRAINT "learned_windows_organization_id_source_id_fkey" TO "account_lookbacks_organization_id_source_id_fkey";
ALTER TABLE "delivery_ledger" RENAME CONSTRAINT "sent_rows_organization_id_destination_id_fkey" TO "delivery_ledger_organization_id_destination_id_fkey";
ALTER TABLE "stream_targets" RENAME CONSTRAINT "loaded_targets_organization_id_connection_id_fkey" TO "stream_targets_organization_id_connection_id_fkey";
ALTER INDEX "loaded_targets_organization_id_target_idx" RENAME TO "stream_targets_organization_id_target_idx";
