/** Not built yet. */
import { Page } from '../../ui/Page';

export function KeysPage() {
  return (
    <Page title="KeysPage">
      <p>Not built yet.</p>
    </Page>
  );
}
