/** Not built yet. */
import { Page } from '../../ui/Page';

export function ConversationsPage() {
  return (
    <Page title="ConversationsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
