/** Not built yet. */
import { Page } from '../../ui/Page';

export function HandsetsPage() {
  return (
    <Page title="HandsetsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
