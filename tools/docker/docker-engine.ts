/** What Testcontainers throws if it finds no Docker engine. It has no class for this error. */
const NO_ENGINE = 'Could not find a working container runtime strategy';

export const isMissingEngine = (error: unknown): boolean => error instanceof Error && error.message === NO_ENGINE;
