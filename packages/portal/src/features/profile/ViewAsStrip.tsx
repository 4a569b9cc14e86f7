/** A banner while the portal is shown as another role, with a button that goes back. */
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { type Role, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { roleName } from '../../ui/roles';
import { FormFault } from '../../ui/States';
import styles from './Profile.module.css';

const profileLabels = labelsOf('profile');

const labels = profileLabels.viewAs;

/** The shown data were read as another role, so all are refetched. */
export function useViewAs() {
  return useMutation({
    mutationFn: (role: Role | null) => api.post('/me/view-as', { role }),
    onSuccess: (_, role) => location.assign(role === null ? '/settings/users' : '/'),
  });
}

export function ViewAsStrip() {
  const { viewAs } = useMe();
  const change = useViewAs();
  if (viewAs === null) return null;
  return (
    <div className={styles.strip} role="status">
      <Icon name="person" />
      <span>
        {labels.on(roleName(viewAs))}
        <span className={styles.long}>{labels.onMore}</span>
      </span>
      <Button isPending={change.isPending} onPress={() => change.mutate(null)}>
        {labels.end}
      </Button>
      <FormFault error={change.error} />
    </div>
  );
}
