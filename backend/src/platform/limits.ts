/** The largest number a column of type integer holds. */
export const INTEGER_MAX = 2_147_483_647;
