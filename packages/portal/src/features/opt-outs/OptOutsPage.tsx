/** Not built yet. */
import { Page } from '../../ui/Page';

export function OptOutsPage() {
  return (
    <Page title="OptOutsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
