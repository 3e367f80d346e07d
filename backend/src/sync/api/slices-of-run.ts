// SQL: part of measured statements about the slices of a run.

/** A slice `s` of the run `r`. A canceled run leaves slices that it has not reached. */
export const IS_SKIPPED = `(s.state = 'skipped' or r.ended_at is not null and s.state in ('pending', 'running'))`;

/** Rows, cost and the other metrics of the slice `s` were compared, whether they are equal or not. */
export const IS_COMPARED = `(s.state = 'done' or s.failure->>'code' in ('sync.mismatch', 'sync.unverified_late'))`;

/** The slices of run `$2`, with the account of each as its app lists it. */
export const SLICES_OF_RUN = `
    from runs r
    join connections c on c.organization_id = r.organization_id and c.id = r.connection_id
    join sources src on src.organization_id = c.organization_id and src.id = c.source_id
    join apps a on a.organization_id = src.organization_id and a.id = src.app_id
    join run_slices s on s.organization_id = r.organization_id and s.run_id = r.id
    left join lateral (
      select account from jsonb_array_elements(a.accounts) account where account->>'externalId' = s.account_id limit 1) named on true
   where r.organization_id = $1 and r.id = $2`;
