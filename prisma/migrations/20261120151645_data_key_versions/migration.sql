/*
  Warnings:

  - The primary key for the `data_keys` table will be changed. If it partially fails, the table could be left without primary key constraint.

*/
-- AlterTable
ALTER TABLE "data_keys" DROP CONSTRAINT "data_keys_pkey",
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "data_keys_pkey" PRIMARY KEY ("organization_id", "version");
COMMENT ON TABLE "data_keys" IS 'Keys that encrypt an organization''s secrets, themselves wrapped by ENCRYPTION_KEY. The newest seals; older ones are there only while they are replaced.';
COMMENT ON COLUMN "data_keys"."version" IS 'Counts the organization''s keys; envelopes begin with it.';
