/** Whether this browser notifies of replies: off until somebody turns it on here. */
import { setNotify, useNotifyState } from '../../frame/notify';
import { labelsOf } from '../../language/labels';
import { Switch } from '../../ui/Field';
import { Panel } from '../../ui/Page';

const profileWords = labelsOf('profile');

const words = profileWords.notify;

export function Notifications() {
  const state = useNotifyState();
  return (
    <Panel title={words.title}>
      <p>{words.what}</p>
      {(state === 'on' || state === 'off') && (
        <Switch label={words.switch} isSelected={state === 'on'} onChange={(on) => void setNotify(on)} />
      )}
      <p role="status">{state === 'denied' ? words.denied : state === 'unable' ? words.unable : ''}</p>
    </Panel>
  );
}
