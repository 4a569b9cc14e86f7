/** Not built yet. */
import { Page } from '../../ui/Page';

export function RequestPage() {
  return (
    <Page title="RequestPage">
      <p>Not built yet.</p>
    </Page>
  );
}
