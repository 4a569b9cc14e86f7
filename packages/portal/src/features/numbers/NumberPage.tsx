/** Not built yet. */
import { Page } from '../../ui/Page';

export function NumberPage() {
  return (
    <Page title="NumberPage">
      <p>Not built yet.</p>
    </Page>
  );
}
