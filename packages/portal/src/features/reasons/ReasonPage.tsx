/** Not built yet. */
import { Page } from '../../ui/Page';

export function ReasonPage() {
  return (
    <Page title="ReasonPage">
      <p>Not built yet.</p>
    </Page>
  );
}
