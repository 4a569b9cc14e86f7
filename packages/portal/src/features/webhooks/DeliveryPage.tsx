/** Not built yet. */
import { Page } from '../../ui/Page';

export function DeliveryPage() {
  return (
    <Page title="DeliveryPage">
      <p>Not built yet.</p>
    </Page>
  );
}
