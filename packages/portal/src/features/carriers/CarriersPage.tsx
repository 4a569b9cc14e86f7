/** Not built yet. */
import { Page } from '../../ui/Page';

export function CarriersPage() {
  return (
    <Page title="CarriersPage">
      <p>Not built yet.</p>
    </Page>
  );
}
