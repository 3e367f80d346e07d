-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('none', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused');

-- CreateTable
CREATE TABLE "subscriptions" (
    "organization_id" UUID NOT NULL,
    "customer_id" TEXT,
    "customer_email" TEXT NOT NULL,
    "lost_customer_id" TEXT,
    "subscription_id" TEXT,
    "status" "subscription_status" NOT NULL DEFAULT 'none',
    "price_id" TEXT,
    "plan" JSONB,
    "trial_ends_at" TIMESTAMPTZ(3),
    "current_period_end" TIMESTAMPTZ(3),
    "cancel_at_period_end" BOOLEAN NOT NULL DEFAULT false,
    "grace_ends_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "last_checkout_session_id" TEXT,
    "sync_version" INTEGER NOT NULL DEFAULT 0,
    "synced_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "stripe_events" (
    "id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stripe_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_customer_id_key" ON "subscriptions"("customer_id");

-- CreateIndex
CREATE INDEX "stripe_events_organization_id_id_idx" ON "stripe_events"("organization_id", "id");

-- CreateIndex
CREATE INDEX "stripe_events_received_at_idx" ON "stripe_events"("received_at");

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stripe_events" ADD CONSTRAINT "stripe_events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

COMMENT ON TABLE "subscriptions" IS 'An organization''s own billing with us: what Stripe said last. Stripe decides, we only remember.';
COMMENT ON COLUMN "subscriptions"."organization_id" IS 'The organization that pays.';
COMMENT ON COLUMN "subscriptions"."customer_id" IS 'Its one customer at Stripe; null until made, and after the customer was deleted there.';
COMMENT ON COLUMN "subscriptions"."customer_email" IS 'E-mail the customer is made with; kept so that repeated calls ask Stripe for the very same.';
COMMENT ON COLUMN "subscriptions"."lost_customer_id" IS 'A customer that was deleted at Stripe; part of the next one''s idempotency key.';
COMMENT ON COLUMN "subscriptions"."subscription_id" IS 'The subscription that counts; a customer may have several.';
COMMENT ON COLUMN "subscriptions"."status" IS 'Where it stands.';
COMMENT ON COLUMN "subscriptions"."price_id" IS 'Its price at Stripe.';
COMMENT ON COLUMN "subscriptions"."plan" IS 'What that price is: name, amountMinor, currency, interval.';
COMMENT ON COLUMN "subscriptions"."trial_ends_at" IS 'When the trial ends or ended.';
COMMENT ON COLUMN "subscriptions"."current_period_end" IS 'When what is paid for ends, and the next payment is due.';
COMMENT ON COLUMN "subscriptions"."cancel_at_period_end" IS 'Whether it ends then.';
COMMENT ON COLUMN "subscriptions"."grace_ends_at" IS 'While past_due: until when it is still open, 7 days after we learned of it.';
COMMENT ON COLUMN "subscriptions"."closed_at" IS 'When it stopped being open, other than by the end of its grace.';
COMMENT ON COLUMN "subscriptions"."last_checkout_session_id" IS 'The checkout that was begun last.';
COMMENT ON COLUMN "subscriptions"."sync_version" IS 'Counts what was written of Stripe''s answers: who asked before another wrote asks again.';
COMMENT ON COLUMN "subscriptions"."synced_at" IS 'When Stripe was last asked.';
COMMENT ON COLUMN "subscriptions"."created_at" IS 'When it was made.';
COMMENT ON TABLE "stripe_events" IS 'Events that Stripe has delivered, each once. They only say that there is something to ask for.';
COMMENT ON COLUMN "stripe_events"."id" IS 'Stripe''s id of the event.';
COMMENT ON COLUMN "stripe_events"."organization_id" IS 'The organization whose customer it is about.';
COMMENT ON COLUMN "stripe_events"."type" IS 'What happened, such as customer.subscription.updated.';
COMMENT ON COLUMN "stripe_events"."created_at" IS 'When it happened, by Stripe''s clock.';
COMMENT ON COLUMN "stripe_events"."received_at" IS 'When it reached us.';
