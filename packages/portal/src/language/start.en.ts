/** The English labels of every page, of the start page and of the sign-in. */
export { answerLabels as answer } from '../api/labels.en';
export { figureLabels as figure } from '../features/home/figures-labels.en';
export { homeLabels as home } from '../features/home/labels.en';
export { quietLabels as quiet } from '../features/settings/quiet-labels.en';
export { signInLabels as signIn } from '../features/sign-in/labels.en';
export { passkeyWords as passkey } from '../features/sign-in/passkey-labels.en';
export { frameLabels as frame, suspendedLabels as suspended } from '../frame/labels.en';
export { copiedLabels as copied, roleLabels as role, stateLabels as state, uiLabels as ui } from '../ui/labels.en';
