/**
 * `node:http`, without what an import of it brings along: a module that imports it gets all its names at once, and one of
 * them loads Node's HTTP client, which a live gateway does not use.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
