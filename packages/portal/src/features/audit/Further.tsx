/** The position in the audit log: how far it was searched, and the links further back and to the newest. */

import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { momentText } from '../../ui/Values';
import type { AuditPage } from './log';

const labels = labelsOf('audit');

export function Further({
  of: { next, searchedTo },
  before,
  onTurn,
}: {
  of: Pick<AuditPage, 'next' | 'searchedTo'>;
  /** Where this page begins; '' = at the newest. */
  before: string;
  onTurn(before: string): void;
}) {
  return (
    <>
      {searchedTo !== null && <p>{labels.searchedTo(momentText(searchedTo))}</p>}
      {(before !== '' || next !== null) && (
        <Row>
          {before !== '' && <Button onPress={() => onTurn('')}>{labels.newest}</Button>}
          {next !== null && (
            <Button onPress={() => onTurn(next)}>{searchedTo === null ? labels.older : labels.lookOn}</Button>
          )}
        </Row>
      )}
    </>
  );
}
