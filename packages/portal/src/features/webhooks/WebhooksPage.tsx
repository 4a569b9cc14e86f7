/** Not built yet. */
import { Page } from '../../ui/Page';

export function WebhooksPage() {
  return (
    <Page title="WebhooksPage">
      <p>Not built yet.</p>
    </Page>
  );
}
