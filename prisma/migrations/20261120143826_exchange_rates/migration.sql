-- CreateTable
CREATE TABLE "exchange_rates" (
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "per_euro" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("currency","day")
);
COMMENT ON TABLE "exchange_rates" IS 'Reference rates of the operator''s rate source: units of a currency for one euro. Not of any organization.';
COMMENT ON COLUMN "exchange_rates"."day" IS 'The day the rate is of; weekends and holidays have none.';
COMMENT ON COLUMN "exchange_rates"."currency" IS 'ISO 4217.';
COMMENT ON COLUMN "exchange_rates"."per_euro" IS 'Units of it for one euro.';
