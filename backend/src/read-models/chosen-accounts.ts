/**
 * SQL for the accounts that a source `s` has selected from its app `a`, as the app listed them last. An account that the app no
 * longer lists is kept as closed: dropping it would report success for a run without its data. XXX is the code of ISO 4217 for no
 * currency.
 */
export const CHOSEN_ACCOUNTS = `
  (select coalesce(jsonb_agg(jsonb_build_object('managerName', null) || coalesce(listed.account, jsonb_build_object(
            'externalId', chosen.id, 'name', chosen.id, 'currency', 'XXX', 'timeZone', 'UTC', 'managerId', null,
            'status', 'closed')) order by chosen.place), '[]')
     from unnest(s.account_ids) with ordinality chosen(id, place)
     left join lateral (
       select account from jsonb_array_elements(a.accounts) account
        where account->>'externalId' = chosen.id limit 1) listed on true)`;
