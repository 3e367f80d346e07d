/** Version of the package, told to browsers so that they notice a new one. */
export const BUILD = process.env['npm_package_version'] ?? '0.1.0';
