/** Not built yet. */
import { Page } from '../../ui/Page';

export function AccountsPage() {
  return (
    <Page title="AccountsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
