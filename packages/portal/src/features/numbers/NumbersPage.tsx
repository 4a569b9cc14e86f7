/** Not built yet. */
import { Page } from '../../ui/Page';

export function NumbersPage() {
  return (
    <Page title="NumbersPage">
      <p>Not built yet.</p>
    </Page>
  );
}
