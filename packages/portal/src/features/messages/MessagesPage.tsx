/** Not built yet. */
import { Page } from '../../ui/Page';

export function MessagesPage() {
  return (
    <Page title="MessagesPage">
      <p>Not built yet.</p>
    </Page>
  );
}
