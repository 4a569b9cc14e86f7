/**
 * The gateway's TLS certificate: read at start and again when its files change. An invalid pair never replaces a valid
 * one.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { EpochMs } from '../kernel/clock.ts';
import { exposedMode } from '../kernel/private-file.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';

const lookEveryMs = 10_000;

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export interface Certificate {
  /** PEM, as served now. */
  readonly cert: string;
  readonly key: string;
  /** When the first certificate of the chain expires. */
  endsAt(): EpochMs;
  onRenewed(listener: () => void): void;
  start(): void;
  stop(): void;
  readonly parts: readonly Part[];
}

/** At start the files contain no valid pair: exit code 78. */
export class CertificateRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CertificateRefused';
  }
}

interface Pair {
  cert: string;
  key: string;
}

export function openCertificate(
  { clock, logger }: Pick<Context, 'clock' | 'logger'>,
  files: CertificateFiles,
): Certificate {
  const { certFile, keyFile } = files;
  let served: Pair;
  try {
    served = readPair(files);
    verify(served);
  } catch (error) {
    throw new CertificateRefused(
      `HELIO_TLS_CERT=${certFile} and HELIO_TLS_KEY=${keyFile} cannot be served: ${(error as Error).message}.`,
    );
  }
  const listeners: (() => void)[] = [];
  /** The invalid contents at the last look; the same contents again are not a half-written pair. */
  let refused = '';
  let logged = '';
  let cancel = (): void => {};

  function look(): void {
    let seen = '';
    try {
      const pair = readPair(files);
      if (pair.cert === served.cert && pair.key === served.key) {
        refused = logged = '';
        return;
      }
      seen = pair.cert + pair.key;
      verify(pair);
      served = pair;
      refused = logged = '';
      for (const renewed of listeners) renewed();
      logger.info(
        { certFile, endsAt: new Date(endOf(pair)).toISOString() },
        'the certificate was renewed and is served',
      );
    } catch (error) {
      seen ||= 'unreadable';
      if (seen === refused && seen !== logged) {
        logged = seen;
        const cause = (error as Error).message;
        logger.error({ certFile, keyFile, cause }, 'the new certificate cannot be served; the one before stays');
      }
      refused = seen;
    }
  }

  function again(): void {
    look();
    cancel = clock.after(lookEveryMs, again);
  }

  const stop = (): void => cancel();
  return {
    get cert() {
      return served.cert;
    },
    get key() {
      return served.key;
    },
    endsAt: () => endOf(served),
    onRenewed: (listener) => {
      listeners.push(listener);
    },
    start: again,
    stop,
    parts: [{ name: 'certificate', start: again, stop }],
  };
}

/** Throws for a key that other users may read. */
function readPair({ certFile, keyFile }: CertificateFiles): Pair {
  const mode = exposedMode(keyFile);
  if (mode !== null) throw new Error(`the key is open to everybody (mode ${mode}); run: chmod 640 ${keyFile}`);
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

/** Throws for an invalid certificate or key, or a key of another certificate. */
function verify({ cert, key }: Pair): void {
  createSecureContext({ cert, key });
  endOf({ cert });
}

function endOf({ cert }: Pick<Pair, 'cert'>): EpochMs {
  return new X509Certificate(cert).validToDate.getTime();
}
