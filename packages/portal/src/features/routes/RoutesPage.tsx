/** Not built yet. */
import { Page } from '../../ui/Page';

export function RoutesPage() {
  return (
    <Page title="RoutesPage">
      <p>Not built yet.</p>
    </Page>
  );
}
