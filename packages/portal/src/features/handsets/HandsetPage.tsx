/** Not built yet. */
import { Page } from '../../ui/Page';

export function HandsetPage() {
  return (
    <Page title="HandsetPage">
      <p>Not built yet.</p>
    </Page>
  );
}
