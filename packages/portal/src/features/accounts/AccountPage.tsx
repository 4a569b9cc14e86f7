/** Not built yet. */
import { Page } from '../../ui/Page';

export function AccountPage() {
  return (
    <Page title="AccountPage">
      <p>Not built yet.</p>
    </Page>
  );
}
