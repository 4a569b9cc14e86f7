/** Not built yet. */
import { Page } from '../../ui/Page';

export function ReasonsPage() {
  return (
    <Page title="ReasonsPage">
      <p>Not built yet.</p>
    </Page>
  );
}
