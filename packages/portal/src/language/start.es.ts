/** The Spanish labels of every page, of the start page and of the sign-in. */
export { answerLabels as answer } from '../api/labels.es';
export { figureLabels as figure } from '../features/home/figures-labels.es';
export { homeLabels as home } from '../features/home/labels.es';
export { quietLabels as quiet } from '../features/settings/quiet-labels.es';
export { signInLabels as signIn } from '../features/sign-in/labels.es';
export { passkeyWords as passkey } from '../features/sign-in/passkey-labels.es';
export { frameLabels as frame, suspendedLabels as suspended } from '../frame/labels.es';
export { copiedLabels as copied, roleLabels as role, stateLabels as state, uiLabels as ui } from '../ui/labels.es';
