/** Not built yet. */
import { Page } from '../../ui/Page';

export function ProfilePage() {
  return (
    <Page title="ProfilePage">
      <p>Not built yet.</p>
    </Page>
  );
}
