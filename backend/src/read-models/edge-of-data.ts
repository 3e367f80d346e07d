// SQL: part of the statements that list sources and destinations.

/**
 * SQL for the first or last day with data of a connection `c`: an index entry, so that the days between them are not read. Append a
 * name for the result.
 */
export const edgeOfData = (order: 'asc' | 'desc'): string => `
      cross join lateral (
        select v.day from coverage v
         where v.organization_id = c.organization_id and v.connection_id = c.id and v.rows > 0 order by v.day ${order} limit 1)`;
