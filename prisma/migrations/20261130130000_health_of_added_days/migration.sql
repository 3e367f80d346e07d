SET lock_timeout = '5s';
SET statement_timeout = '30s';

-- The health of every connection is computed again: days that were never loaded count now. Later than the upgrade, because the earlier
-- version, which still runs, would compute it by its own rules.
UPDATE connection_facts SET recheck_at = least(recheck_at, now() + interval '15 minutes');
