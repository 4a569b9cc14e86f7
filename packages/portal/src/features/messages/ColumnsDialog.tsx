/** The columns of the message log, chosen for this browser. */
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox } from '../../ui/Field';
import { allColumns, type useColumns } from './columns';
import styles from './Messages.module.css';

const labels = labelsOf('message').list;

export function ColumnsDialog({ layout, onClose }: { layout: ReturnType<typeof useColumns>; onClose(): void }) {
  return (
    <Dialog title={labels.columnsTitle} open onClose={onClose}>
      <div className={styles.choices}>
        {allColumns.map(({ id, title }) => (
          <Checkbox key={id} isSelected={layout.shown.includes(id)} onChange={(on) => layout.choose(id, on)}>
            {title}
          </Checkbox>
        ))}
      </div>
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {labels.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
