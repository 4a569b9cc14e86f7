/** Headers of every portal answer (SEC-58), and the content policy of its pages. */
import { strictTransport } from './exchange.ts';

const closed = [
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['X-Frame-Options', 'DENY', 'Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
];

/** For JSON and files: browsers must never run or frame them. */
export function dataHeaders(https: boolean): readonly string[] {
  const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return ['Content-Security-Policy', policy, ...ofPage({ https, trustworthy: https })];
}

/** Browsers accept this header only from trustworthy origins (https or this machine) and log a warning otherwise. */
const ownWindow = ['Cross-Origin-Opener-Policy', 'same-origin'];

/** How the client reached the page. `trustworthy`: over https, or by a name of this machine. */
export interface Reached {
  https: boolean;
  trustworthy: boolean;
}

const ofPage = ({ https, trustworthy }: Reached): readonly string[] => [
  ...closed,
  ...(trustworthy ? ownWindow : []),
  ...(https ? strictTransport : []),
];

/**
 * For a page of the documentation: its styles, its scripts, and their requests to this gateway (search, a tried
 * request).
 */
export function docsHeaders(reached: Reached): readonly string[] {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return ['Content-Security-Policy', policy, ...ofPage(reached)];
}

/** For scripts: a shared worker takes the policy of its own file, and ours reads the event stream. */
export function scriptHeaders(https: boolean): readonly string[] {
  const [name, , ...others] = dataHeaders(https);
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return [name!, policy, ...others];
}

/** For the page: its own scripts, its own styles and those with the nonce, and data from this server alone. */
export function pageHeaders(nonce: string, reached: Reached): readonly string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return ['Content-Security-Policy', policy, ...ofPage(reached)];
}
