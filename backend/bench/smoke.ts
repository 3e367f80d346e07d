/** Set by `bench/all.ts --smoke`: each part runs once with the smallest size, and no target counts. */
export const isSmoke = process.env['SMOKE'] === 'true';

/** @param smallest the value for a smoke run */
export const sized = (usual: number, smallest: number): number => (isSmoke ? smallest : usual);
