/**
 * SQL for the accounts that a source `s` has chosen of its app `a`, as the app listed them last. One that the app no longer
 * lists stays, as closed: leaving it out would make a run green that does not bring it. XXX is what ISO 4217 calls
 * no currency.
 */
export const CHOSEN_ACCOUNTS = `
  (select coalesce(jsonb_agg(jsonb_build_object('managerName', null) || coalesce(listed.account, jsonb_build_object(
            'externalId', chosen.id, 'name', chosen.id, 'currency', 'XXX', 'timeZone', 'UTC', 'managerId', null,
            'status', 'closed')) order by chosen.place), '[]')
     from unnest(s.account_ids) with ordinality chosen(id, place)
     left join lateral (
       select account from jsonb_array_elements(a.accounts) account
        where account->>'externalId' = chosen.id limit 1) listed on true)`;
