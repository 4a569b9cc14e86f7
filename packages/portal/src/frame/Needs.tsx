/**
 * A page for people whose role has a permission; everybody else sees who can grant it. It only avoids a page of
 * refusals: the gateway enforces the permission.
 */
import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type Permission, useMay } from '../api/session';
import { labelsOf } from '../language/labels';
import { Page } from '../ui/Page';
import { Notice } from '../ui/States';

const frameLabels = labelsOf('frame');

/** The component of a route, preloaded as before. */
export function needs(permission: GuardedPermission, title: string, Inner: AsyncRouteComponent<object>) {
  function Needs() {
    return useMay(permission) ? <Inner /> : <Refused permission={permission} title={title} />;
  }
  return Object.assign(Needs, { preload: Inner.preload });
}

export type GuardedPermission = Permission & keyof typeof frameLabels.needs;

function Refused({ permission, title }: { permission: GuardedPermission; title: string }) {
  const labels = frameLabels.needs[permission];
  return (
    <Page title={title}>
      <Notice tone="info" title={labels.title}>
        <p>{labels.ask}</p>
      </Notice>
    </Page>
  );
}
