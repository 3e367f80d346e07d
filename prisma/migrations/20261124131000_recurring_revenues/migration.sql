-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "revenue_failure" JSONB;

-- CreateTable
CREATE TABLE "payment_recurring_revenues" (
    "organization_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "definition_version" INTEGER NOT NULL,
    "currencies" JSONB NOT NULL,
    "left_out" JSONB NOT NULL,
    "uncertain" JSONB NOT NULL,
    "computed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_recurring_revenues_pkey" PRIMARY KEY ("organization_id","payment_id","day")
);

-- AddForeignKey
ALTER TABLE "payment_recurring_revenues" ADD CONSTRAINT "payment_recurring_revenues_organization_id_payment_id_fkey" FOREIGN KEY ("organization_id", "payment_id") REFERENCES "payments"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON COLUMN "payments"."revenue_failure" IS 'Why the recurring revenue could not be computed last; null: it could, or was not computed yet.';
COMMENT ON TABLE "payment_recurring_revenues" IS 'Monthly recurring revenue of a payment, as last computed on each day. Stripe stores no history of subscriptions, so it cannot be computed afterwards.';
COMMENT ON COLUMN "payment_recurring_revenues"."organization_id" IS 'The organization that owns this row.';
COMMENT ON COLUMN "payment_recurring_revenues"."payment_id" IS 'The payment.';
COMMENT ON COLUMN "payment_recurring_revenues"."day" IS 'Day in UTC.';
COMMENT ON COLUMN "payment_recurring_revenues"."definition_version" IS 'Version of the definition by which it was computed.';
COMMENT ON COLUMN "payment_recurring_revenues"."currencies" IS 'Amounts by currency, in its smallest unit, with the number of subscriptions.';
COMMENT ON COLUMN "payment_recurring_revenues"."left_out" IS 'Reasons why subscriptions or items are not included, each with their number.';
COMMENT ON COLUMN "payment_recurring_revenues"."uncertain" IS 'Reasons why included amounts may be too high, each with the number of subscriptions.';
COMMENT ON COLUMN "payment_recurring_revenues"."computed_at" IS 'When the subscriptions were read.';
