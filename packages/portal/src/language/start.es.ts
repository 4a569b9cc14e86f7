/** The Spanish labels of every page, of the start page and of the sign-in. */
export { answerWords as answer } from '../api/labels.es';
export { figureWords as figure } from '../features/home/figures-labels.es';
export { homeWords as home } from '../features/home/labels.es';
export { quietWords as quiet } from '../features/settings/quiet-labels.es';
export { signInWords as signIn } from '../features/sign-in/labels.es';
export { passkeyWords as passkey } from '../features/sign-in/passkey-labels.es';
export { frameWords as frame, suspendedWords as suspended } from '../frame/labels.es';
export { copiedWords as copied, roleWords as role, stateWords as state, uiWords as ui } from '../ui/labels.es';
