/** Version of the package. Browsers compare it to detect a new build. */
export const BUILD = process.env['npm_package_version'] ?? '0.1.0';
