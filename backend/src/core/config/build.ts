/** Version of the package. Browsers detect a new build of the web app by `builds/latest.json`. */
export const BUILD = process.env['npm_package_version'] ?? '0.1.0';
