/** Somebody else saved first: both are shown, and the person decides. */
import { Button } from '../../ui/Button';
import { Facts } from '../../ui/Page';
import { Focused, Notice } from '../../ui/States';
import { settingsWords } from '../../words/en/settings';

const words = settingsWords.conflict;

export function ConflictNotice({
  facts,
  onTheirs,
  onMine,
}: {
  facts: readonly (readonly [string, string])[];
  onTheirs(): void;
  onMine(): void;
}) {
  return (
    <Focused>
      <Notice
        tone="warn"
        title={words.title}
        actions={
          <>
            <Button onPress={onTheirs}>{settingsWords.again}</Button>
            <Button onPress={onMine}>{words.mine}</Button>
          </>
        }
      >
        <p>{words.detail}</p>
        <p>{words.now}</p>
        <Facts facts={facts} />
      </Notice>
    </Focused>
  );
}
