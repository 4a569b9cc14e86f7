/** The frame around every page: navigation, company, search, connection state, help. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useIsAway, useOldestReadTime } from '../api/away';
import { setEnvironment } from '../api/client';
import { setPaused, startLive, useLiveState } from '../api/live';
import { type Environment, useIsShut, useIsSuspended, useMay, useMe } from '../api/session';
import { faultsQuery } from '../features/handsets/queries';
import { labelsOf, withLabels } from '../language/labels';
import { Button, IconButton } from '../ui/Button';
import { Select } from '../ui/Field';
import { Icon } from '../ui/icons';
import { Notice } from '../ui/States';
import { countText } from '../ui/tab-title';
import { Time } from '../ui/Values';
import { ConfirmPerson } from './ConfirmPerson';
import styles from './Frame.module.css';
import { KeyboardHelp, setSingleKeys, useShortcuts } from './keyboard';
import { menuPathOf, navigation, useMenu } from './navigation';
import { useNotifications, useUnread } from './notify';
import { ProfileMenu } from './ProfileMenu';

const labels = labelsOf('frame');

/** Loaded after the first page is shown. */
const FaultStrip = lazy(() =>
  withLabels(() => import('../features/handsets/FaultStrip')).then((one) => ({ default: one.FaultStrip })),
);
const ViewAsStrip = lazy(() =>
  withLabels(() => import('../features/profile/ViewAsStrip')).then((one) => ({ default: one.ViewAsStrip })),
);
const FactorStrip = lazy(() =>
  withLabels(() => import('../features/profile/FactorDue')).then((one) => ({ default: one.FactorStrip })),
);
const SuspendedStrip = lazy(() => import('./SuspendedStrip').then((one) => ({ default: one.SuspendedStrip })));
const FactorNeeded = lazy(() =>
  withLabels(() => import('../features/profile/FactorDue')).then((one) => ({ default: one.FactorNeeded })),
);
const loadPalette = () => withLabels(() => import('./Palette'));
const Palette = lazy(() => loadPalette().then((one) => ({ default: one.Palette })));
/** On a person's first action the palette is fetched, so that it gets the first key typed into it. */
const signsOfLife = ['pointermove', 'pointerdown', 'keydown'];

/** `children` replace the route's page, for URLs without one. */
export function Frame({ children }: { children?: ReactNode }) {
  const client = useQueryClient();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const menu = useMenu(pathname);
  const unread = useUnread();
  const mayRead = useMay('readBody');

  useEffect(() => startLive(client), [client]);
  useEffect(() => {
    const gone = new AbortController();
    const fetchIt = () => {
      gone.abort();
      void loadPalette().catch(() => undefined);
    };
    for (const sign of signsOfLife) addEventListener(sign, fetchIt, { signal: gone.signal });
    return () => gone.abort();
  }, []);
  const isSuspended = useIsSuspended();
  const {
    user: { singleKeys },
    viewAs,
    secondFactorDue,
  } = useMe();
  // The gateway would refuse everything else; their own profile stays open.
  const isOver = useIsShut();
  const isShut = isOver && pathname !== '/profile';
  useEffect(() => setSingleKeys(singleKeys), [singleKeys]);
  useShortcuts({ openPalette: () => setPaletteOpen(true), openHelp: () => setHelpOpen(true) });

  return (
    <div ref={menu.frame} className={styles.frame}>
      <a href="#page" className={styles.skip}>
        {labels.skip}
      </a>
      <header className={styles.topbar}>
        <span ref={menu.button} className={styles.menuButton}>
          <IconButton
            icon="menu"
            label={unread > 0 ? `${labels.menu}, ${labels.unread(unread)}` : labels.menu}
            aria-expanded={menu.isOpen}
            onPress={menu.toggle}
          />
          {unread > 0 && <span className={styles.dot} />}
        </span>
        <Company />
        <button type="button" className={styles.search} onClick={() => setPaletteOpen(true)}>
          <Icon name="search" />
          <span className={styles.searchWords}>{labels.search}</span>
          <span aria-hidden="true">
            <kbd>Ctrl K</kbd>
          </span>
        </button>
        <LiveState />
        <a href="/docs" className={styles.help}>
          {labels.help}
        </a>
      </header>
      <nav ref={menu.nav} aria-label={labels.navigation} className={`${styles.nav} ${menu.isOpen ? styles.open : ''}`}>
        <Navigation unread={unread} />
        <div className={styles.narrow}>
          <PauseButton />
        </div>
        <ProfileMenu />
      </nav>
      <main id="page" className={styles.main}>
        <div className={styles.strips}>
          <OfflineStrip />
          <Suspense>{viewAs !== null && <ViewAsStrip />}</Suspense>
          <SandboxFaults />
        </div>
        <Suspense>{isSuspended && <SuspendedStrip />}</Suspense>
        <Suspense>{secondFactorDue !== null && !isOver && <FactorStrip due={secondFactorDue} />}</Suspense>
        {isShut ? (
          <Suspense>
            <FactorNeeded />
          </Suspense>
        ) : (
          (children ?? <Outlet />)
        )}
      </main>
      <Suspense>{paletteOpen && <Palette open onClose={() => setPaletteOpen(false)} />}</Suspense>
      <KeyboardHelp open={helpOpen} onClose={() => setHelpOpen(false)} />
      <ConfirmPerson />
      {mayRead && <Notifications />}
    </div>
  );
}

function Notifications() {
  useNotifications();
  return null;
}

/** Active faults are shown on every page, because they affect every page. */
function SandboxFaults() {
  const { sandbox, environment } = useMe();
  const may = useMay('readBody');
  return sandbox && environment === 'sandbox' && may ? <Faults /> : null;
}

function Faults() {
  const { data: faults = {} } = useQuery(faultsQuery);
  const areOn = Object.values(faults).some(Boolean);
  return (
    <div role="status">
      <Suspense>{areOn && <FaultStrip />}</Suspense>
    </div>
  );
}

function Company() {
  const me = useMe();
  return (
    <div className={styles.company}>
      {me.environments.length < 2 ? <strong>{me.account.name}</strong> : <EnvironmentChoice />}
      {me.environment === 'sandbox' && <span className={styles.sandbox}>SANDBOX</span>}
    </div>
  );
}

/** The company's name opens it; the shown environment stands beside it. */
function EnvironmentChoice() {
  const me = useMe();
  const client = useQueryClient();
  return (
    <Select
      label={labels.environment.label(labels.environment[me.environment])}
      hideLabel
      shown={<strong>{me.account.name}</strong>}
      value={me.environment}
      choices={me.environments.map((value) => ({ value, label: labels.environment[value] }))}
      onChange={(value) => {
        setEnvironment(value as Environment);
        // Cached data of other pages belong to the other environment.
        client.removeQueries({ type: 'inactive' });
        void client.invalidateQueries();
      }}
    />
  );
}

function Navigation({ unread }: { unread: number }) {
  const me = useMe();
  const here = useRouterState({ select: ({ location }) => menuPathOf(location.pathname) });
  return (
    <>
      {navigation.map((group, index) => {
        const isLast = index === navigation.length - 1;
        const shown = group.filter(
          ({ permission, sandboxOnly }) =>
            (permission === undefined || me.permissions.includes(permission)) && (sandboxOnly !== true || me.sandbox),
        );
        return (
          (isLast || shown.length > 0) && (
            <ul key={group[0]?.to} className={styles.group}>
              {shown.map(({ to, label, icon, sandboxOnly }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ exact: true }} aria-current={to === here ? 'page' : undefined}>
                    <Icon name={icon} />
                    {label}
                    {to === '/conversations' && unread > 0 && (
                      <span className={styles.unread}>
                        <span aria-hidden="true">{countText(unread)}</span>
                        <span className="visually-hidden">{labels.unread(unread)}</span>
                      </span>
                    )}
                    {sandboxOnly === true && <span className={styles.tag}>SBX</span>}
                  </Link>
                </li>
              ))}
              {isLast && (
                <li>
                  <a href="/docs">
                    <Icon name="docs" />
                    {labels.docs}
                  </a>
                </li>
              )}
            </ul>
          )
        );
      })}
    </>
  );
}

function LiveState() {
  const state = useLiveState();
  return (
    <div className={styles.live}>
      <span role="status" data-state={state}>
        {labels.live[state]}
      </span>
      <PauseButton />
    </div>
  );
}

function PauseButton() {
  const state = useLiveState();
  const client = useQueryClient();
  return (
    <Button look="quiet" onPress={() => setPaused(state !== 'paused', client)}>
      {state === 'paused' ? labels.resume : labels.pause}
    </Button>
  );
}

/** How often the relative time is updated. */
const redrawEveryMs = 10_000;

/**
 * The banner of an unreachable gateway, with the age of the page. Loaded with the frame, because nothing can be loaded
 * when it is needed.
 */
function OfflineStrip() {
  const isAway = useIsAway();
  const readAt = useOldestReadTime();
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => redraw((times) => times + 1), redrawEveryMs);
    return () => clearInterval(timer);
  }, [isAway]);
  if (!isAway) return null;
  return (
    <div role="status">
      <Notice tone="warn" title={labels.offline.title}>
        {labels.offline.detail}
        {readAt !== null && (
          <>
            {' '}
            {labels.offline.updated} <Time at={new Date(readAt).toISOString()} form="relative" />.
          </>
        )}
      </Notice>
    </div>
  );
}
