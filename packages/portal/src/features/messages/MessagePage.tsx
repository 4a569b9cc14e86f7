/** Not built yet. */
import { Page } from '../../ui/Page';

export function MessagePage() {
  return (
    <Page title="MessagePage">
      <p>Not built yet.</p>
    </Page>
  );
}
