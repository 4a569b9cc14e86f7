/** Not built yet. */
import { Page } from '../../ui/Page';

export function ConversationPage() {
  return (
    <Page title="ConversationPage">
      <p>Not built yet.</p>
    </Page>
  );
}
