-- CreateTable
CREATE TABLE "loaded_targets" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "stream" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "loaded_targets_pkey" PRIMARY KEY ("organization_id","connection_id","stream")
);

-- AddForeignKey
ALTER TABLE "loaded_targets" ADD CONSTRAINT "loaded_targets_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
COMMENT ON TABLE "loaded_targets" IS 'Where the rows lie that coverage tells of. Once a stream is written elsewhere, its days are missing there.';
COMMENT ON COLUMN "loaded_targets"."organization_id" IS 'The organization it belongs to.';
COMMENT ON COLUMN "loaded_targets"."connection_id" IS 'The connection.';
COMMENT ON COLUMN "loaded_targets"."stream" IS 'Stream name.';
COMMENT ON COLUMN "loaded_targets"."target" IS 'What the destination calls the place: server and table with when it was made, or project and event name.';
COMMENT ON COLUMN "loaded_targets"."since" IS 'Since when it is written there.';
