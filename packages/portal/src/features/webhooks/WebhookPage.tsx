/** Not built yet. */
import { Page } from '../../ui/Page';

export function WebhookPage() {
  return (
    <Page title="WebhookPage">
      <p>Not built yet.</p>
    </Page>
  );
}
