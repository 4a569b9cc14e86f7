/** Not built yet. */
import { Page } from '../../ui/Page';

export function UsersPage() {
  return (
    <Page title="UsersPage">
      <p>Not built yet.</p>
    </Page>
  );
}
