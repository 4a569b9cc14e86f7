/** Parts shown of a key pair, in the list and on its own page. */
import { useEffect, useState } from 'react';
import type { KeyPair } from '../../api/routes/keys';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Badge, StatusBadge } from '../../ui/Status';
import { momentText, Time } from '../../ui/Values';
import styles from './Keys.module.css';
import { hintText, usedSinceRotation } from './keys';

const labels = labelsOf('key');

export function KeyState({ of: { status, environment } }: { of: KeyPair }) {
  return (
    <span className={styles.badges}>
      <StatusBadge state={status} />
      {environment === 'sandbox' && <Badge tone="warn" icon="handset" word="Sandbox" />}
    </span>
  );
}

/** The same for the list, in a word; the pair's page says until when. */
export function RotatedShort({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  if (of.status !== 'active' || of.replacedBy === null) return null;
  return (
    <span className={styles.muted}>
      {usedSinceRotation(of, list) ? labels.rotated.stillUsed : labels.rotated.short}
    </span>
  );
}

/** For a rotated pair that is still valid: until when, and whether it is still used. */
export function Rotated({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  const { status, replacedBy, expiresAt } = of;
  if (status !== 'active' || replacedBy === null || expiresAt === null) return null;
  return (
    <span className={styles.muted}>
      {labels.rotated.until(momentText(expiresAt))} <Left until={expiresAt} />{' '}
      {usedSinceRotation(of, list) && of.lastUse !== null ? (
        <>
          {labels.rotated.used} <Time at={of.lastUse.at} form="relative" />.
        </>
      ) : (
        labels.rotated.unused
      )}
    </span>
  );
}

/** How long the old pair stays valid, as a countdown. */
function Left({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return labels.rotated.left(Math.max(0, Math.floor((Date.parse(until) - now) / 60_000)));
}

export function Tokens({ of }: { of: KeyPair }) {
  const tokens = [
    [labels.bearer, hintText(of.bearerHint)],
    [labels.auth, hintText(of.authHint)],
  ] as const;
  return (
    <div className={styles.cell}>
      {tokens.map(([name, hint]) => (
        <span key={name} className={styles.muted} title={name}>
          <span className="visually-hidden">{name} </span>
          <code className={styles.hint}>{hint ?? labels.noHint}</code>
        </span>
      ))}
    </div>
  );
}

export function May({ of }: { of: KeyPair }) {
  const { scopes, exactShape } = of;
  return (
    <div className={styles.cell}>
      <span>{scopes.map((scope) => labels.scopesShort[scope]).join(', ')}</span>
      {exactShape && <span className={styles.muted}>{labels.exact}</span>}
    </div>
  );
}

/** Its allowed numbers, daily limit and addresses; the page of the pair lists them one by one. */
export function Limits({ of: { numbers, dailyCap, allowedIps } }: { of: KeyPair }) {
  return (
    <div className={`${styles.cell} ${styles.hint}`}>
      <span>{numbers.length === 0 ? labels.anyNumber : labels.numbers(numbers.length)}</span>
      <span className={styles.muted}>{dailyCap === 0 ? labels.noCap : labels.cap(numberText(dailyCap))}</span>
      {allowedIps !== undefined && <Ips of={allowedIps} />}
    </div>
  );
}

/** Shown only to people who manage keys. */
function Ips({ of }: { of: readonly string[] }) {
  const [only] = of;
  const ipsText =
    only === undefined ? labels.anywhere : of.length === 1 ? labels.from(only) : labels.addresses(of.length);
  return (
    <span className={styles.muted} title={of.join(', ')}>
      {ipsText}
    </span>
  );
}

export function Created({ of }: { of: KeyPair }) {
  return (
    <div className={styles.cell}>
      <Time at={of.createdAt} />
      <span className={styles.muted}>{of.createdBy === null ? labels.byMachine : labels.by(of.createdBy)}</span>
    </div>
  );
}

/** In the list: its last use, and whether its IP list refuses somebody. */
export function UsedOrRefused({ of }: { of: KeyPair }) {
  return (
    <div className={styles.cell}>
      <Used of={of} />
      {of.lastRefusal != null && (
        <span className={styles.muted}>
          {labels.refused.last} <Refused of={of.lastRefusal} />
        </span>
      )}
    </div>
  );
}

/** When, from where, and why */
export function Refused({ of: { at, address } }: { of: NonNullable<KeyPair['lastRefusal']> }) {
  return (
    <>
      <Time at={at} form="relative" /> {labels.from(address)}, {labels.refused.why}
    </>
  );
}

export function Used({ of: { lastUse } }: { of: KeyPair }) {
  if (lastUse === null) return <span className={styles.muted}>{labels.neverUsed}</span>;
  return (
    <div className={styles.cell}>
      <Time at={lastUse.at} form="relative" />
      <code className={styles.muted}>{lastUse.endpoint}</code>
      {lastUse.address !== null && <span className={styles.muted}>{labels.from(lastUse.address)}</span>}
    </div>
  );
}
