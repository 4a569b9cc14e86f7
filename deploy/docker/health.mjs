/** The health check of the image: ends with 0 while the gateway answers /healthz, over https where that is what it serves. */
import { get } from 'node:http';
import { get as getOverTls } from 'node:https';

const { PORT = '', HELIO_TLS_CERT = '' } = process.env;
const options = { host: '127.0.0.1', port: Number(PORT || 8088), path: '/healthz', timeout: 4_000 };
// Its own certificate names the gateway's public host, not this address.
const request = HELIO_TLS_CERT === '' ? get(options) : getOverTls({ ...options, rejectUnauthorized: false });
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
