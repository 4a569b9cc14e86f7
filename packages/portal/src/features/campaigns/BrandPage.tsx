/** Not built yet. */
import { Page } from '../../ui/Page';

export function BrandPage() {
  return (
    <Page title="BrandPage">
      <p>Not built yet.</p>
    </Page>
  );
}
