/** The command that starts the gateway: `npm start` belongs to a checkout of the sources, which a package does not have. */
export const startCommand = import.meta.url.endsWith('.ts') ? 'npm start' : 'helio start';
