/** npm has no package of Node for macOS, so the installed one runs everything there: the oldest that runs TypeScript. */
const OLDEST_ON_MACOS = '22.18.0';
const OLDEST = '20.0.0';

/** @param {string} platform */
export const oldestNode = (platform) => (platform === 'darwin' ? OLDEST_ON_MACOS : OLDEST);

/**
 * @param {string} version
 * @param {string} platform
 */
export function isTooOld(version, platform) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode(platform).split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
