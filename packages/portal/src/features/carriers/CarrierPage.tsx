/** Not built yet. */
import { Page } from '../../ui/Page';

export function CarrierPage() {
  return (
    <Page title="CarrierPage">
      <p>Not built yet.</p>
    </Page>
  );
}
