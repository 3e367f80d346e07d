SET lock_timeout = '5s';
SET statement_timeout = '30s';

-- The health of every connection is computed again: days that were never loaded count now.
INSERT INTO connection_marks (organization_id, connection_id, has_coverage)
SELECT organization_id, id, false FROM connections WHERE deleted_at IS NULL AND payment_id IS NULL;
